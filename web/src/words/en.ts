// English, one file per area. Every other language has the same shape.
import { account } from './en/account.ts'
import { audit } from './en/audit.ts'
import { books } from './en/books.ts'
import { bulkRefunds } from './en/bulk-refunds.ts'
import { cases } from './en/cases.ts'
import { channels } from './en/channels.ts'
import { company } from './en/company.ts'
import { decide } from './en/decide.ts'
import { developers } from './en/developers.ts'
import { exam } from './en/exam.ts'
import { exports } from './en/exports.ts'
import { feePlans } from './en/fee-plans.ts'
import { links } from './en/links.ts'
import { merchants } from './en/merchants.ts'
import { operations } from './en/operations.ts'
import { orders } from './en/orders.ts'
import { overview } from './en/overview.ts'
import { parts } from './en/parts.ts'
import { payouts } from './en/payouts.ts'
import { permissions } from './en/permissions.ts'
import { problems } from './en/problems.ts'
import { queues } from './en/queues.ts'
import { reconciliation } from './en/reconciliation.ts'
import { reference } from './en/reference.ts'
import { risk } from './en/risk.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { statements } from './en/statements.ts'
import { team } from './en/team.ts'

export const en = {
  account,
  audit,
  books,
  bulkRefunds,
  cases,
  channels,
  company,
  decide,
  developers,
  exam,
  exports,
  feePlans,
  /** The server's message at a field, which is written in English. */
  fieldText: (text: string): string => text,
  links,
  merchants,
  operations,
  orders,
  overview,
  parts,
  payouts,
  permissions,
  problems,
  queues,
  reconciliation,
  reference,
  risk,
  shell,
  signIn,
  statements,
  team,
}

export type Words = typeof en
