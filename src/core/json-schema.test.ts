import { describe, expect, test } from 'vitest'
import { jsonIssues, schemaFault } from './json-schema.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const when = { properties: { kind: { const: 'x' } }, required: ['kind'] }
const consequence = Object.fromEntries([['then', { required: ['size'] }]])
const list = { type: 'object', required: ['value'], properties: { value: text, next: { $ref: '#' } } }

/** A schema, values that fit it and values that do not. */
const CASES: [string, Record<string, unknown>, unknown[], unknown[]][] = [
  ['a type', { type: 'integer' }, [1, 2.0], [1.5, '1', null]],
  ['several types', { type: ['string', 'null'] }, ['x', null], [1, {}]],
  ['required', object({ a: text }, { required: ['a'] }), [{ a: 'x' }], [{}, { a: 1 }, [], 'x']],
  ['no type at all', { properties: { a: text }, required: ['a'] }, [{ a: 'x' }, 'text'], [{}, { a: 1 }]],
  ['an inherited name', object({}, { required: ['toString'] }), [{ toString: 1 }], [{}]],
  ['additionalProperties', object({ a: text }, { additionalProperties: false }), [{ a: 'x' }], [{ b: 1 }]],
  [
    'patternProperties',
    object({}, { patternProperties: { '^n': { type: 'number' } } }),
    [{ n: 1, x: 'y' }],
    [{ n: '1' }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }], [{ a: 1 }]],
  ['numbers of properties', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
  ['items', { type: 'array', items: text, maxItems: 2 }, [[], ['a']], [[1], ['a', 'b', 'c']]],
  ['prefixItems', { prefixItems: [text], items: false }, [['a'], []], [['a', 1], [1]]],
  ['items of draft 7', { items: [text], additionalItems: { type: 'number' } }, [['a', 1]], [['a', 'b']]],
  ['uniqueItems', { uniqueItems: true }, [[1, '1', { a: 1 }]], [[{ a: 1 }, { a: 1 }]]],
  ['contains', { contains: text, maxContains: 1 }, [[1, 'a']], [[1], ['a', 'b']]],
  ['lengths', { minLength: 2, maxLength: 3 }, ['ab', '👍👍', 5], ['a', 'abcd']],
  ['a pattern', { pattern: '^a+$' }, ['aa'], ['b']],
  ['a range', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9], [0, 3]],
  ['a step', { multipleOf: 0.1 }, [0.3, 7], [0.25]],
  [
    'enum and const',
    { anyOf: [{ enum: ['a', [1]] }, { const: { b: 1 } }] },
    ['a', [1], { b: 1 }],
    ['b', [2], { b: 2 }],
  ],
  ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 5 }] }, [1, 5.5], [6, 1.5]],
  ['allOf and not', { allOf: [{ minimum: 1 }], not: { const: 2 } }, [1], [0, 2]],
  [
    'if',
    { if: when, ...consequence, else: { maxProperties: 1 } },
    [{ kind: 'x', size: 1 }, { a: 1 }],
    [{ kind: 'x' }, { a: 1, b: 1 }],
  ],
  ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': text } }, ['x'], [1]],
  ['a reference to itself', list, [{ value: 'a', next: { value: 'b' } }], [{ value: 'a', next: { next: {} } }]],
  ['a reference that goes round', { $ref: '#' }, [1], []],
  ['a date', { format: 'date' }, ['2026-02-28'], ['2026-02-30', '28.2.26']],
  ['a time stamp', { format: 'date-time' }, ['2026-02-28T10:00:00Z'], ['2026-02-28', 'soon']],
  ['an address', { format: 'email' }, ['a@b.org'], ['a b']],
  [
    'numbers of hosts',
    { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    ['127.0.0.1', '::1'],
    ['256.1.1.1', '1.2.3', '1.2.3.4.', ':::'],
  ],
  ['a format that nobody knows', { format: 'colour' }, ['x'], []],
]

describe.each(CASES)('%s', (_name, schema, fitting, unfitting) => {
  test('can be checked', () => expect(schemaFault(schema)).toBeNull())
  test.each(fitting.map((value) => [value]))('%j fits', (value) => expect(jsonIssues(schema, value)).toEqual([]))
  test.each(unfitting.map((value) => [value]))('%j does not', (value) =>
    expect(jsonIssues(schema, value)).not.toEqual([]),
  )
})

test('an issue says where', () => {
  const schema = object({ list: { items: object({ n: { type: 'number' } }, { required: ['n'] }) } })
  expect(jsonIssues(schema, { list: [{ n: 1 }, {}, { n: 'x' }] })).toEqual([
    { path: ['list', '1', 'n'], message: 'is missing' },
    { path: ['list', '2', 'n'], message: 'must be number' },
  ])
})

test.each([
  [{ type: 'objec' }, 'there is no type "objec"'],
  [{ type: 'toString' }, 'there is no type "toString"'],
  [{ properties: 'x' }, 'properties is an object'],
  [{ properties: { a: { items: 1 } } }, 'a schema is an object (at /properties/a/items)'],
  [{ pattern: '(' }, '"(" is not a pattern'],
  [{ $ref: 'http://x/y.json' }, 'leads nowhere'],
  [{ $ref: '#/$defs/none' }, 'leads nowhere'],
  [{ unevaluatedProperties: false }, 'unevaluatedProperties is not supported'],
  [{ required: 'a' }, 'required is a list of names'],
  [{ minLength: '2' }, 'minLength is a number'],
])('%j is refused', (schema, why) => {
  expect(schemaFault(schema)).toContain(why)
})

test('a schema that leads back to itself, twice at each step, comes to an end', () => {
  const both = [{ $ref: '#' }, { $ref: '#' }]
  expect(jsonIssues({ type: 'object', allOf: both }, {})).toEqual([])
  expect(jsonIssues({ type: 'object', allOf: both }, 1)).toHaveLength(1)
  const tree = { type: 'object', properties: { next: { $ref: '#' } }, required: ['name'], contains: { $ref: '#' } }
  expect(jsonIssues(tree, { name: 1, next: { name: 1, next: {} } })).toEqual([
    { path: ['next', 'next', 'name'], message: 'is missing' },
  ])
})
