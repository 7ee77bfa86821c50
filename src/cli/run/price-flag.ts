import type { ModelPrice } from '../../contract/run-options.ts'
import { usageError } from '../command.ts'

const FIELDS: Readonly<Record<string, keyof ModelPrice>> = {
  in: 'input',
  input: 'input',
  out: 'output',
  output: 'output',
  'cache-read': 'cacheRead',
  cacheRead: 'cacheRead',
  'cache-write': 'cacheWrite',
  cacheWrite: 'cacheWrite',
}
const HINT = 'Dollars per million tokens: --price in=3,out=15 or --price in=3,out=15,cache-read=0.3,cache-write=3.75'

/** `in=3,out=15`, in dollars per million tokens. */
export function parsePrice(text: string): ModelPrice {
  const prices: Partial<ModelPrice> = {}
  for (const part of text.split(',')) {
    const [name = '', amount = ''] = part.split('=').map((word) => word.trim())
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    const usd = Number(amount)
    if (field === undefined || amount === '' || !Number.isFinite(usd) || usd < 0) {
      throw usageError(`--price: "${part.trim()}" is not a price`, HINT)
    }
    prices[field] = usd
  }
  const { input, output, ...cache } = prices
  if (input === undefined || output === undefined) throw usageError('--price needs both in= and out=', HINT)
  return { input, output, ...cache }
}
