// English, one file per area. Every other language has the same shape.
import { audit } from './en/audit.ts'
import { bulkRefunds } from './en/bulk-refunds.ts'
import { exports } from './en/exports.ts'
import { orders } from './en/orders.ts'
import { overview } from './en/overview.ts'
import { parts } from './en/parts.ts'
import { problems } from './en/problems.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

export const en = { shell, parts, problems, signIn, audit, overview, orders, exports, bulkRefunds }

export type Words = typeof en
