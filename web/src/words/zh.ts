// Simplified Chinese.
import type { Words } from './en.ts'
import { account } from './zh/account.ts'
import { audit } from './zh/audit.ts'
import { books } from './zh/books.ts'
import { bulkRefunds } from './zh/bulk-refunds.ts'
import { channels } from './zh/channels.ts'
import { company } from './zh/company.ts'
import { developers } from './zh/developers.ts'
import { exports } from './zh/exports.ts'
import { merchants } from './zh/merchants.ts'
import { orders } from './zh/orders.ts'
import { overview } from './zh/overview.ts'
import { parts } from './zh/parts.ts'
import { permissions } from './zh/permissions.ts'
import { problems } from './zh/problems.ts'
import { queues } from './zh/queues.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { team } from './zh/team.ts'

export const zh: Words = {
  overview,
  orders,
  exports,
  bulkRefunds,
  account,
  audit,
  books,
  channels,
  company,
  developers,
  merchants,
  parts,
  permissions,
  problems,
  queues,
  shell,
  signIn,
  team,
}
