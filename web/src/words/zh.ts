// Simplified Chinese.
import type { Words } from './en.ts'
import { translator } from './field-text.ts'
import { account } from './zh/account.ts'
import { audit } from './zh/audit.ts'
import { books } from './zh/books.ts'
import { bulkRefunds } from './zh/bulk-refunds.ts'
import { cases } from './zh/cases.ts'
import { channels } from './zh/channels.ts'
import { company } from './zh/company.ts'
import { decide } from './zh/decide.ts'
import { developers } from './zh/developers.ts'
import { exam } from './zh/exam.ts'
import { exports } from './zh/exports.ts'
import { feePlans } from './zh/fee-plans.ts'
import { fieldTexts } from './zh/field-texts.ts'
import { links } from './zh/links.ts'
import { merchants } from './zh/merchants.ts'
import { operations } from './zh/operations.ts'
import { orders } from './zh/orders.ts'
import { overview } from './zh/overview.ts'
import { parts } from './zh/parts.ts'
import { payouts } from './zh/payouts.ts'
import { permissions } from './zh/permissions.ts'
import { problems } from './zh/problems.ts'
import { queues } from './zh/queues.ts'
import { reconciliation } from './zh/reconciliation.ts'
import { reference } from './zh/reference.ts'
import { risk } from './zh/risk.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { statements } from './zh/statements.ts'
import { team } from './zh/team.ts'

const translate = translator(fieldTexts, '：')

export const zh: Words = {
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
  fieldText: (text) => translate(text) ?? text,
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
