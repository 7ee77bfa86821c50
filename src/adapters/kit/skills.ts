import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type FieldError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'

const SKILL = 'SKILL.md'

/** The directories of the skills of one run. Each is named by itself or by the `SKILL.md` in it. */
export function skillDirectories({ skills = [], cwd = process.cwd() }: RunOptions): string[] {
  const fields: FieldError[] = []
  const directories = skills.map((skill) => {
    const path = resolve(cwd, skill)
    const directory = basename(path) === SKILL ? dirname(path) : path
    if (!existsSync(join(directory, SKILL))) {
      const message = `there is no ${SKILL} in ${directory}`
      fields.push({ field: 'skills', message, received: skill, expected: `a directory with a ${SKILL}` })
    }
    return directory
  })
  if (fields.length > 0) throw new ValidationError(fields)
  return directories
}
