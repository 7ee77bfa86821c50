/**
 * A repository can name programs for git to run: hooks, a file monitor, filters of files, the other end of a fetch. Git
 * does not bring these with a clone, but an archive or a shared directory does. None of them is run by a command of ours.
 */
export const WITHOUT_PROGRAMS: readonly string[] = settings({
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.sshCommand': 'false',
  'submodule.recurse': 'false',
  'protocol.ext.allow': 'never',
  'commit.gpgSign': 'false',
  'diff.external': '',
})

/**
 * No command of ours fetches. In a partial clone git would, for an object that is missing, with the programs that the
 * repository names (`uploadpack`, credential helpers). This variable wins over every setting.
 */
export const WITHOUT_FETCHING: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: '' }

/** Asks git which filters the repository itself defines. */
export const LIST_FILTERS: readonly string[] = [
  ...['config', '--show-scope', '--name-only', '--get-regexp'],
  '^filter\\..*\\.(clean|smudge|process)$',
]

/**
 * Turns these filters off, by variables of git. Those of the user's own settings, such as git-lfs, stay. Not by `-c`: that
 * would cut the name of a filter at its first `=`.
 */
export function withoutFilters(listed: string): Record<string, string> {
  const names = listed.split('\n').flatMap((line) => {
    const [, scope, name] = /^(\w+)\s+filter\.(.*)\.(?:clean|smudge|process)$/.exec(line) ?? []
    return name !== undefined && (scope === 'local' || scope === 'worktree') ? [name] : []
  })
  const off = [...new Set(names)].flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ])
  const variables = off.flatMap(([key = '', value = ''], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return Object.fromEntries([['GIT_CONFIG_COUNT', String(off.length)], ...variables])
}

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
