/** Positions of a longest common subsequence of two lists, as pairs in order. Linear in memory (Hirschberg). */
export function commonSubsequence(a: readonly string[], b: readonly string[]): [number, number][] {
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
  const pairs: [number, number][] = []
  find(Int32Array.from(a, numberOf), Int32Array.from(b, numberOf), 0, 0, pairs)
  return pairs
}

function find(a: Int32Array, b: Int32Array, atA: number, atB: number, pairs: [number, number][]): void {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) {
    pairs.push([atA + start, atB + start])
    start += 1
  }
  let end = 0
  const room = Math.min(a.length, b.length) - start
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  split(a.subarray(start, a.length - end), b.subarray(start, b.length - end), atA + start, atB + start, pairs)
  for (let i = end; i > 0; i--) pairs.push([atA + a.length - i, atB + b.length - i])
}

/** Halves `a`, and `b` where the two halves have most in common. */
function split(a: Int32Array, b: Int32Array, atA: number, atB: number, pairs: [number, number][]): void {
  if (a.length === 0 || b.length === 0) return
  if (a.length === 1) {
    const at = b.indexOf(a[0] ?? -1)
    if (at >= 0) pairs.push([atA, atB + at])
    return
  }
  const middle = a.length >> 1
  const left = lengths(a.subarray(0, middle), b)
  const right = lengths(a.slice(middle).reverse(), b.slice().reverse())
  let cut = 0
  let best = -1
  for (let j = 0; j <= b.length; j++) {
    const sum = (left[j] ?? 0) + (right[b.length - j] ?? 0)
    if (sum > best) [cut, best] = [j, sum]
  }
  if (best === 0) return
  find(a.subarray(0, middle), b.subarray(0, cut), atA, atB, pairs)
  find(a.subarray(middle), b.subarray(cut), atA + middle, atB + cut, pairs)
}

/** For each beginning of `b`, how much of it is in `a`. */
function lengths(a: Int32Array, b: Int32Array): Int32Array {
  let row = new Int32Array(b.length + 1)
  let next = new Int32Array(b.length + 1)
  for (const item of a) {
    for (let j = 0; j < b.length; j++) {
      next[j + 1] = item === b[j] ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0)
    }
    ;[row, next] = [next, row]
  }
  return row
}
