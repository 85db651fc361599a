import type { Check } from '../check.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { noContradiction } from './no-contradiction.ts'

export const checks: readonly Check[] = [ledgerVerify, noContradiction]
