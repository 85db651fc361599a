// English, one file per area. Every other language has the same shape.
import { account } from './en/account.ts'
import { audit } from './en/audit.ts'
import { parts } from './en/parts.ts'
import { permissions } from './en/permissions.ts'
import { problems } from './en/problems.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { team } from './en/team.ts'

export const en = { shell, parts, problems, permissions, signIn, account, team, audit }

export type Words = typeof en
