export { opencodeSubject as subject } from '../families/opencode/subject.ts'
