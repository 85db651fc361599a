// Simplified Chinese.
import type { Words } from './en.ts'
import { account } from './zh/account.ts'
import { audit } from './zh/audit.ts'
import { parts } from './zh/parts.ts'
import { permissions } from './zh/permissions.ts'
import { problems } from './zh/problems.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { team } from './zh/team.ts'

export const zh: Words = { shell, parts, problems, permissions, signIn, account, team, audit }
