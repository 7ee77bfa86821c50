import type { LaunchHooks } from '../contract/hooks.ts'

/** A command line with the additions in it. */
export function addArguments(
  args: readonly string[],
  { args: more, onceFlag }: Pick<LaunchHooks, 'args' | 'onceFlag'>,
): string[] {
  const isTaken = onceFlag !== undefined && args.some((word) => word === onceFlag || word.startsWith(`${onceFlag}=`))
  if (isTaken) return [...args]
  const dashes = args.indexOf('--')
  return args.toSpliced(dashes === -1 ? args.length : dashes, 0, ...more)
}
