import type { Check } from '../check.ts'
import { ledgerVerify } from './ledger-verify.ts'

export const checks: readonly Check[] = [ledgerVerify]
