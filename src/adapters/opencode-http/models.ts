export { models } from '../families/opencode/models.ts'
