// English, one file per area. Every other language has the same shape.
import { account } from './account.ts'
import { audit } from './audit.ts'
import { books } from './books.ts'
import { bulkRefunds } from './bulk-refunds.ts'
import { cases } from './cases.ts'
import { channels } from './channels.ts'
import { company } from './company.ts'
import { decide } from './decide.ts'
import { developers } from './developers.ts'
import { exam } from './exam.ts'
import { exports } from './exports.ts'
import { feePlans } from './fee-plans.ts'
import { links } from './links.ts'
import { merchants } from './merchants.ts'
import { operations } from './operations.ts'
import { orders } from './orders.ts'
import { overview } from './overview.ts'
import { parts } from './parts.ts'
import { payouts } from './payouts.ts'
import { permissions } from './permissions.ts'
import { problems } from './problems.ts'
import { queues } from './queues.ts'
import { reconciliation } from './reconciliation.ts'
import { reference } from './reference.ts'
import { risk } from './risk.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { statements } from './statements.ts'
import { team } from './team.ts'

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
