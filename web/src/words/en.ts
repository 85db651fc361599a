// English, one file per area. Every other language has the same shape.
import { audit } from './en/audit.ts'
import { parts } from './en/parts.ts'
import { problems } from './en/problems.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

export const en = { shell, parts, problems, signIn, audit }

export type Words = typeof en
