// Simplified Chinese.
import type { Words } from './en.ts'
import { audit } from './zh/audit.ts'
import { books } from './zh/books.ts'
import { cases } from './zh/cases.ts'
import { channels } from './zh/channels.ts'
import { decide } from './zh/decide.ts'
import { merchants } from './zh/merchants.ts'
import { parts } from './zh/parts.ts'
import { payouts } from './zh/payouts.ts'
import { problems } from './zh/problems.ts'
import { queues } from './zh/queues.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { statements } from './zh/statements.ts'

export const zh: Words = {
  books,
  channels,
  merchants,
  queues,
  shell,
  parts,
  problems,
  signIn,
  audit,
  cases,
  decide,
  payouts,
  statements,
}
