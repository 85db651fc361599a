// English, one file per area. Every other language has the same shape.
import { audit } from './en/audit.ts'
import { books } from './en/books.ts'
import { cases } from './en/cases.ts'
import { channels } from './en/channels.ts'
import { decide } from './en/decide.ts'
import { merchants } from './en/merchants.ts'
import { parts } from './en/parts.ts'
import { payouts } from './en/payouts.ts'
import { problems } from './en/problems.ts'
import { queues } from './en/queues.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { statements } from './en/statements.ts'

export const en = {
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

export type Words = typeof en
