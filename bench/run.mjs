// Speed as ratios to a baseline measured in the same run: `npm run bench [-- name…]`. Machines are noisy, ratios less so.
const BENCHES = ['parse', 'end-to-end', 'startup', 'load', 'size', 'hooks', 'sessions', 'daemon', 'beside-cli']

const wanted = process.argv.slice(2)
for (const name of wanted) {
  if (BENCHES.includes(name)) continue
  console.error(`unknown bench "${name}"; known: ${BENCHES.join(', ')}`)
  process.exit(2)
}

let missed = 0
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  const { measure } = await import(`./${name}.mjs`)
  for (const { what, value, limit, unit, detail } of await measure()) {
    const holds = value <= limit
    if (!holds) missed += 1
    console.log(
      `${holds ? 'ok    ' : 'MISSED'} ${what}: ${value.toFixed(2)}${unit} (at most ${limit}${unit}) – ${detail}`,
    )
  }
}
process.exitCode = missed > 0 ? 1 : 0
