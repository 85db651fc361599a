// Simplified Chinese.
import type { Words } from './en.ts'
import { audit } from './zh/audit.ts'
import { books } from './zh/books.ts'
import { bulkRefunds } from './zh/bulk-refunds.ts'
import { channels } from './zh/channels.ts'
import { exports } from './zh/exports.ts'
import { merchants } from './zh/merchants.ts'
import { orders } from './zh/orders.ts'
import { overview } from './zh/overview.ts'
import { parts } from './zh/parts.ts'
import { problems } from './zh/problems.ts'
import { queues } from './zh/queues.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'

export const zh: Words = {
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
