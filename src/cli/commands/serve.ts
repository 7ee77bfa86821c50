import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { daemonPlaces } from '../daemon/places.ts'

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
    const [{ startDaemon, AlreadyServed }, runner] = await Promise.all([
      import('../../daemon/daemon.ts'),
      import('../../runner/index.ts'),
    ])
    const places = daemonPlaces(flags)
    const env = { ...process.env, AGENT_MUX_CONFIG_DIR: places.configDir, AGENT_MUX_DATA_DIR: places.dataDir }
    try {
      const daemon = await startDaemon({ ...places, env, port: portOf(flags.port), runner })
      const { pid, port, version } = daemon.registration
      output.result({ pid, port, version, url: daemon.url }, `Serving on ${daemon.url} (process ${pid})`)
      const stop = () => void daemon.stop()
      process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
      await daemon.ended
    } catch (error) {
      if (!(error instanceof AlreadyServed)) throw error
      const { pid, port, version } = error.registration
      output.result({ pid, port, version }, `${error.message}.`)
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
