// English, one file per area. Every other language has the same shape.
import { audit } from './en/audit.ts'
import { books } from './en/books.ts'
import { bulkRefunds } from './en/bulk-refunds.ts'
import { channels } from './en/channels.ts'
import { exports } from './en/exports.ts'
import { merchants } from './en/merchants.ts'
import { orders } from './en/orders.ts'
import { overview } from './en/overview.ts'
import { parts } from './en/parts.ts'
import { problems } from './en/problems.ts'
import { queues } from './en/queues.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

export const en = {
  bulkRefunds,
  exports,
  orders,
  overview,
  books,
  channels,
  merchants,
  queues,
  shell,
  parts,
  problems,
  signIn,
  audit,
}

export type Words = typeof en
