import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from './migrate.ts'
import { openReadOnly, openWritable } from './sqlite.ts'

function path(): string {
  const directory = mkdtempSync(join(tmpdir(), 'agent-mux-sqlite-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'one.db')
}

test('a transaction that throws leaves nothing', async () => {
  const database = await openWritable(path())
  database.exec('CREATE TABLE t (a INTEGER)')
  const insert = database.prepare('INSERT INTO t VALUES (?)')
  expect(() =>
    database.transaction(() => {
      insert.run(1)
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(database.transaction(() => insert.run(2))).toEqual({ changes: 1, lastInsertRowid: 1 })
  expect(database.prepare('SELECT a FROM t').all()).toEqual([{ a: 2 }])
  database.close()
})

test('migrations run once each, in order, and a newer database is refused', async () => {
  const file = path()
  const first = await openWritable(file)
  migrate(first, ['CREATE TABLE t (a INTEGER)'], 'one.db')
  migrate(first, ['CREATE TABLE t (a INTEGER)', 'ALTER TABLE t ADD COLUMN b INTEGER'], 'one.db')
  first.prepare('INSERT INTO t VALUES (1, 2)').run()
  expect(() => migrate(first, [], 'one.db')).toThrow('newer agent-mux')
  const beside = await openReadOnly(file)
  expect(beside.all('SELECT * FROM t')).toEqual([{ a: 1, b: 2 }])
  beside.close()
  first.close()
})

test('a step that fails is not counted', async () => {
  const database = await openWritable(path())
  const steps = ['CREATE TABLE t (a INTEGER)', 'CREATE TABLE u (a INTEGER); nonsense']
  expect(() => migrate(database, steps, 'one.db')).toThrow('nonsense')
  migrate(database, ['CREATE TABLE t (a INTEGER)', 'CREATE TABLE u (b INTEGER)'], 'one.db')
  expect(database.prepare('SELECT count(b) AS n FROM u').get()).toEqual({ n: 0 })
  database.close()
})

test('a second writer waits for the first', async () => {
  const file = path()
  const one = await openWritable(file)
  const two = await openWritable(file, { busyMs: 50 })
  one.exec('CREATE TABLE t (a INTEGER); BEGIN IMMEDIATE')
  expect(() => two.exec('INSERT INTO t VALUES (1)')).toThrow('locked')
  one.exec('COMMIT')
  two.exec('INSERT INTO t VALUES (1)')
  one.close()
  two.close()
})
