import type { BankCharge } from '../src/channels/bank/charge.ts'

/** An open charge as a bank reports it. */
export function aBankCharge(changes: Partial<BankCharge>): BankCharge {
  return {
    id: 'C-1',
    reference: 'A1',
    status: 'open',
    money: undefined,
    reason: '',
    payee: 'Corner Shop',
    payerUrl: 'https://bank.example/C-1',
    deposits: [],
    extra: {},
    ...changes,
  }
}
