// One event whose line is that many bytes long: long-line.mjs <bytes>
const bytes = Number(process.argv[2])
const head = '{"type":"file_read","path":"'
process.stdout.write(head)
process.stdout.write('x'.repeat(bytes - head.length - 2))
process.stdout.write('"}\n')
