// Writes its pid and stays for ever: stays.mjs [ignore-term]
if (process.argv[2] === 'ignore-term')
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
console.log(JSON.stringify({ type: 'debug', level: 'info', message: `pid ${process.pid}` }))
setInterval(() => {}, 1000)
