// Simplified Chinese.
import type { Words } from './en.ts'
import { audit } from './zh/audit.ts'
import { bulkRefunds } from './zh/bulk-refunds.ts'
import { exports } from './zh/exports.ts'
import { orders } from './zh/orders.ts'
import { overview } from './zh/overview.ts'
import { parts } from './zh/parts.ts'
import { problems } from './zh/problems.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'

export const zh: Words = { shell, parts, problems, signIn, audit, overview, orders, exports, bulkRefunds }
