// Writes the JSON schemas of the shapes that the daemon's API takes from our TypeScript types (contract/api/shapes.ts)
// to data/api-shapes.json. `npm run api-shapes`; a test compares the file with the types.
import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync'

/** What a reader can add up by itself is not sent with every event. */
const NOT_ALWAYS_SENT = new Set(['accumulated', 'inputAccumulated'])

const root = fileURLToPath(new URL('..', import.meta.url))

/** The schemas by name, as text. */
export function apiShapes() {
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${root}tsconfig.build.json`] })
    const project = snapshot.getProject(`${root}tsconfig.build.json`)
    if (!project) throw new Error('No project')
    const schemas = new Schemas(project.checker)
    const file = project.program.getSourceFile(`${root}src/contract/api/shapes.ts`)
    const module = project.checker.getSymbolAtLocation(file)
    const shapes = project.checker.getDeclaredTypeOfSymbol(
      project.checker.getMemberInModuleExports(module, 'ApiShapes'),
    )
    return `${JSON.stringify(schemas.all(shapes), null, 1)}\n`
  } finally {
    api.close()
  }
}

class Schemas {
  #checker
  /** Names of types that have a schema of their own, by the type's id. */
  #names = new Map()
  #made = {}

  constructor(checker) {
    this.#checker = checker
  }

  all(shapes) {
    const members = this.#checker.getPropertiesOfType(shapes).map((symbol) => ({
      name: symbol.name,
      type: this.#checker.getTypeOfSymbol(symbol),
    }))
    for (const { name, type } of members) this.#names.set(type.id, name)
    for (const { name, type } of members) this.#made[name] ??= this.#describe(type, name)
    return Object.fromEntries(Object.entries(this.#made).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #schema(type) {
    const name = this.#names.get(type.id)
    return name === undefined ? this.#describe(type) : { $ref: `#/components/schemas/${name}` }
  }

  #describe(type, name) {
    const { flags } = type
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {}
    if (flags & TypeFlags.StringLiteral) return { type: 'string', enum: [type.value] }
    if (flags & TypeFlags.NumberLiteral) return { type: 'number', enum: [type.value] }
    if (flags & TypeFlags.BooleanLiteral)
      return { type: 'boolean', enum: [type.value ?? type.intrinsicName === 'true'] }
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: 'string' }
    if (flags & TypeFlags.Number) return { type: 'number' }
    if (flags & TypeFlags.Boolean) return { type: 'boolean' }
    if (flags & TypeFlags.Null) return { type: 'null' }
    if (type.isUnionType()) return this.#union(type.getTypes(), name)
    if (type.isIntersectionType()) {
      const primitive = type.getTypes().find((one) => one.flags & (TypeFlags.String | TypeFlags.Number))
      if (primitive) return this.#describe(primitive) // `string & {}`: any string, of which some are known
    }
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type)) {
      const of = this.#checker.getTypeArguments(type)
      const items = of.length === 1 ? this.#schema(of[0]) : this.#union(of)
      return { type: 'array', items }
    }
    return this.#object(type)
  }

  #object(type) {
    const [index] = this.#checker.getIndexInfosOfType(type)
    const fields = this.#checker.getPropertiesOfType(type).flatMap((symbol) => {
      const of = this.#checker.getTypeOfSymbol(symbol)
      if (of.flags & TypeFlags.Object && this.#checker.getSignaturesOfType(of, 0).length > 0) return []
      const text = symbol.getDocumentationComment(this.#checker).replace(/\s+/g, ' ').trim()
      const schema = this.#schema(of)
      // What stands beside a reference is ignored by many tools.
      const described = text === '' || schema.$ref ? schema : { ...schema, description: text }
      return [{ name: symbol.name, schema: described, isRequired: !(symbol.flags & SymbolFlags.Optional) }]
    })
    const required = fields
      .filter(({ name, isRequired }) => isRequired && !NOT_ALWAYS_SENT.has(name))
      .map(({ name }) => name)
    return {
      type: 'object',
      ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) }),
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.#schema(index.valueType ?? index.getType?.() ?? index.type) }),
    }
  }

  #union(types, name) {
    const given = types.filter(({ flags }) => !(flags & (TypeFlags.Undefined | TypeFlags.Void)))
    const rest = given.filter(({ flags }) => !(flags & TypeFlags.Null))
    const isNullable = rest.length < given.length
    const schema = this.#choice(rest, name)
    if (!isNullable) return schema
    if (typeof schema.type === 'string' && !schema.enum) return { ...schema, type: [schema.type, 'null'] }
    return { anyOf: [schema, { type: 'null' }] }
  }

  #choice(types, name) {
    const isAny = (flag) => types.some(({ flags }) => flags & flag)
    const literals = types.filter(({ flags }) => flags & TypeFlags.StringLiteral)
    const bools = types.filter(({ flags }) => flags & TypeFlags.BooleanLiteral)
    const others = types.filter((one) => !literals.includes(one) && !bools.includes(one))
    const isOpen = isAny(TypeFlags.String) || others.some((one) => this.#describe(one).type === 'string')
    const parts = [
      ...(literals.length > 0 && !isOpen ? [{ type: 'string', enum: literals.map(({ value }) => value).sort() }] : []),
      ...(bools.length > 1 ? [{ type: 'boolean' }] : bools.map((one) => this.#describe(one))),
      ...this.#alternatives(others, name),
    ]
    return parts.length === 1 ? parts[0] : this.#discriminated(others, parts)
  }

  /** Members of a union that has a name get names too: `AgentEvent` has `SessionStartEvent` and so on. */
  #alternatives(types, name) {
    const kinds = types.map((one) => this.#kindOf(one))
    if (name === undefined || types.length < 2 || kinds.some((kind) => kind === null)) {
      return types.map((one) => this.#schema(one))
    }
    return types.map((one, i) => {
      const own = nameOf(name, kinds[i].value)
      this.#made[own] ??= this.#object(one)
      return { $ref: `#/components/schemas/${own}` }
    })
  }

  #discriminated(types, parts) {
    const kinds = types.map((one) => this.#kindOf(one))
    const values = kinds.map((kind) => kind?.value)
    const isOne = types.length === parts.length && values.every(Boolean) && new Set(values).size === values.length
    if (!isOne || !parts.every(({ $ref }) => $ref)) return { anyOf: parts }
    const mapping = Object.fromEntries(parts.map(({ $ref }, i) => [values[i], $ref]))
    return { oneOf: parts, discriminator: { propertyName: kinds[0].name, mapping } }
  }

  #kindOf(type) {
    for (const name of ['type', 'kind']) {
      const symbol =
        type.flags & (TypeFlags.Object | TypeFlags.Intersection) && this.#checker.getPropertyOfType(type, name)
      const of = symbol && this.#checker.getTypeOfSymbol(symbol)
      if (of && of.flags & TypeFlags.StringLiteral) return { name, value: of.value }
    }
    return null
  }
}

/** `AgentEvent` and `session_start`: `SessionStartEvent`. */
function nameOf(union, kind) {
  const words = kind.split(/[_-]/).map((word) => word[0].toUpperCase() + word.slice(1))
  return `${words.join('')}${union.replace(/^Agent/, '')}`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL('../data/api-shapes.json', import.meta.url), apiShapes())
}
