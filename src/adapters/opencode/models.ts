export { models } from '../../core/opencode/models.ts'
