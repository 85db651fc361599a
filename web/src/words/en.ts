// English, one file per area. Every other language has the same shape.
import { audit } from './en/audit.ts'
import { cases } from './en/cases.ts'
import { decide } from './en/decide.ts'
import { parts } from './en/parts.ts'
import { payouts } from './en/payouts.ts'
import { problems } from './en/problems.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { statements } from './en/statements.ts'

export const en = { shell, parts, problems, signIn, audit, cases, decide, payouts, statements }

export type Words = typeof en
