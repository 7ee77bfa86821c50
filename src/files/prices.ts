import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { isRecord } from '../core/json.ts'
import { openPriceTable, type PriceTable, readPriceTable } from '../core/price-table.ts'
import { PriceBook } from '../core/prices.ts'

const SNAPSHOT = new URL('../../data/prices.json', import.meta.url)
let snapshot: PriceTable | undefined

/** The list prices that come with the package. Large, so it is read when the first price is asked for. */
export function listPrices(): PriceTable {
  snapshot ??= openPriceTable(JSON.parse(readFileSync(SNAPSHOT, 'utf8')), 'prices.json')
  return snapshot
}

/** The prices of the user, `prices.json` in our config directory, over the list prices. A broken file is an error. */
export function openPrices(configDir: string): PriceBook {
  return new PriceBook(readOwn(join(configDir, 'prices.json')), listPrices)
}

/** Changes whenever a price may have changed. */
export function priceStamp(configDir: string): string {
  return [SNAPSHOT, join(configDir, 'prices.json')]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stats) => (stats ? `${stats.size}:${stats.mtimeMs}` : ''))
    .join(' ')
}

function readOwn(path: string): PriceTable | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isRecord(error) && error.code === 'ENOENT') return null
    throw new AgentMuxError('CONFIG_ERROR', `Cannot read ${path}`, { cause: error })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AgentMuxError(
      'CONFIG_ERROR',
      `${path} is not valid JSON: ${error instanceof Error ? error.message : error}`,
      { hint: 'Mend the file or remove it; nothing was changed.' },
    )
  }
  return readPriceTable(value, path)
}
