/** Whether the promise settles in time, in whatever way. Leaves no timer behind that would keep the program alive. */
export function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const settled = () => {
      clearTimeout(timer)
      resolve(true)
    }
    void promise.then(settled, settled)
  })
}
