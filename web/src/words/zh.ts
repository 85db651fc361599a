// Simplified Chinese.
import type { Words } from './en.ts'
import { audit } from './zh/audit.ts'
import { books } from './zh/books.ts'
import { channels } from './zh/channels.ts'
import { developers } from './zh/developers.ts'
import { merchants } from './zh/merchants.ts'
import { parts } from './zh/parts.ts'
import { problems } from './zh/problems.ts'
import { queues } from './zh/queues.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'

export const zh: Words = {
  books,
  channels,
  developers,
  merchants,
  queues,
  shell,
  parts,
  problems,
  signIn,
  audit,
}
