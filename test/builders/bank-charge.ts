import type { BankCharge } from '../../src/rails/protocols/bridge/bank/charge.ts'

/** Returns an open charge as a bank reports it. */
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
