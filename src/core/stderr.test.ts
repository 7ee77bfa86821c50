import { expect, test } from 'vitest'
import { errorRecord, tellingLine, withoutEscapes } from './stderr.ts'

test('colours, cursor movements and titles are left out', () => {
  expect(withoutEscapes('\u001b[91m\u001b[1mError: \u001b[0mno\u001b]0;title\u0007\u001b[2K')).toBe('Error: no')
  expect(withoutEscapes('plain [1m')).toBe('plain [1m')
})

test('the last line that says something', () => {
  expect(tellingLine('Error: it broke\n    at run (file.js:1:2)\n}\n\nBun v1.4.4 (Linux)\n')).toBe('Error: it broke')
  expect(tellingLine('\u001b[31mfailed\u001b[0m\n(Use `node --trace-warnings ...` to show)\n')).toBe('failed')
  expect(tellingLine('\n  \n')).toBe('')
  expect(tellingLine('❌ API Error: "HTTP error: 404"\n   ⎿ Request ID: c9cd41bb-67c2\n')).toBe(
    '❌ API Error: "HTTP error: 404"',
  )
  expect(tellingLine('No request id: the server sent none')).toBe('No request id: the server sent none')
})

test('an error that nothing caught in Node, not its fields', () => {
  const stderr = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/repo/nothing'
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`
  expect(tellingLine(stderr)).toBe("Error: Cannot find module '/repo/nothing'")
  expect(tellingLine('killed by a signal\n\nNode.js v20.20.2\n')).toBe('killed by a signal')
})

test('the last record, whatever is around it', () => {
  expect(errorRecord('{"message":"first"}\n{"message":"last"}\nwarning\n')).toEqual({ message: 'last' })
  expect(errorRecord('no record')).toBeUndefined()
})
