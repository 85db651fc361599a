import { handlers } from '../../handlers.js'

export const POST = handlers.next
