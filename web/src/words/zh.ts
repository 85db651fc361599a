// Simplified Chinese.
import type { Words } from './en.ts'
import { audit } from './zh/audit.ts'
import { cases } from './zh/cases.ts'
import { decide } from './zh/decide.ts'
import { parts } from './zh/parts.ts'
import { payouts } from './zh/payouts.ts'
import { problems } from './zh/problems.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { statements } from './zh/statements.ts'

export const zh: Words = { shell, parts, problems, signIn, audit, cases, decide, payouts, statements }
