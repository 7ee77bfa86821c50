/** The one that the others of its family differ from. */
export { opencode as dialect } from '../families/opencode/opencode.ts'
