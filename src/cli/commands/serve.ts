import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { daemonPlaces } from '../daemon/places.ts'
import { startSmall } from '../daemon/small-heap.ts'

export const command = defineCommand({
  usage: 'serve',
  about: `
Serves managed sessions on loopback, in the foreground. Commands such as \`amux spawn\` start it by themselves, in the
background. When it ends, also by kill -9, agents go on; the next one finds them and what they have done since.`,
  flags: {
    port: { type: 'string', value: 'N', about: 'Listen here (default 7417, or any free one)' },
  },
  examples: ['amux serve', 'amux serve --port 8123'],
  async run({ args, flags }, { output }) {
    refuseExtra(args, 0)
    const places = daemonPlaces(flags)
    const env = { ...process.env, AGENT_MUX_CONFIG_DIR: places.configDir, AGENT_MUX_DATA_DIR: places.dataDir }
    const wanted = portOf(flags.port)
    const started = await startSmall(async () => {
      const { startDaemon, AlreadyServed } = await import('../../daemon/daemon.ts')
      const runner = await import('../../runner/index.ts')
      return startDaemon({ ...places, env, port: wanted, runner }).catch((error: unknown) => {
        if (error instanceof AlreadyServed) return error
        throw error
      })
    })
    const { pid, port, version } = started.registration
    if (started instanceof Error) output.result({ pid, port, version }, `${started.message}.`)
    else {
      output.result({ pid, port, version, url: started.url }, `Serving on ${started.url} (process ${pid})`)
      const stop = () => void started.stop()
      process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
      await started.ended
    }
    // What is left are connections to runners, and they are not ours to wait for.
    setImmediate(() => process.exit())
    return 0
  },
})

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw usageError(`--port must be a number below 65536, not "${text}"`)
}
