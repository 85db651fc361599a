// English, one file per area. Every other language has the same shape.
import { audit } from './en/audit.ts'
import { books } from './en/books.ts'
import { channels } from './en/channels.ts'
import { developers } from './en/developers.ts'
import { merchants } from './en/merchants.ts'
import { parts } from './en/parts.ts'
import { problems } from './en/problems.ts'
import { queues } from './en/queues.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

export const en = {
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

export type Words = typeof en
