const VERSION = /(\d+)\.(\d+)(?:\.(\d+))?/

/** The first version-like number in what a CLI prints for `--version`: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`. */
export function extractVersion(output: string): string | null {
  const match = VERSION.exec(output)
  return match ? `${match[1]}.${match[2]}.${match[3] ?? '0'}` : null
}

function parts(version: string): number[] {
  const match = VERSION.exec(version)
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : [0, 0, 0]
}

export function meetsVersion(version: string, minimum: string): boolean {
  const [have, want] = [parts(version), parts(minimum)]
  for (let i = 0; i < 3; i++) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
