import { allTerminals } from './terminal.ts'
import { type FieldProblem, type Fields, HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const wechat = {
  paymentTypes: ['WECHAT'],
  paymentModes: ['4'],
  currencies: ['CNY', 'USD', 'EUR', 'HKD'],
  terminals: allTerminals,
  // WeChat's own browser refuses the H5 page.
  noPhonePageIn: /MicroMessenger/i,
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
  checkFields,
} as const satisfies MethodTraits

/** Checks that an order of a mini program names the payer's openid. */
function checkFields({ terminal, userId }: Fields): FieldProblem | undefined {
  if (terminal !== 'MINI_APP' || /^[\w-]{1,128}$/.test(String(userId ?? ''))) return undefined
  return { field: 'userId', rule: "must be the payer's openid if terminal is MINI_APP" }
}
