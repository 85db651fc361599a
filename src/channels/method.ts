// The pay-in methods of the interface, as data. Currencies 'any' means: whichever the merchant has.

export type MethodTraits = {
  /** Values of the `paymentType` header; the first is the one we print. */
  readonly paymentTypes: readonly string[]
  /** Numbers that `paymentMode` of /cashier/checkStandPayment takes for it. */
  readonly paymentModes: readonly string[]
  readonly currencies: readonly string[] | 'any'
}

const wallet = ['CNY', 'USD', 'EUR', 'HKD']

export const methods = {
  card: { paymentTypes: [''], paymentModes: ['CREDIT_CARD', '0', '1'], currencies: 'any' },
  alipay: { paymentTypes: ['ALIPAY'], paymentModes: ['2'], currencies: wallet },
  wechat: { paymentTypes: ['WECHAT'], paymentModes: ['4'], currencies: wallet },
  unionpay: { paymentTypes: ['UNIONPAY_H5', 'UNIONPAY'], paymentModes: ['3'], currencies: wallet },
  apple_pay: { paymentTypes: ['APPLE_PAY'], paymentModes: [], currencies: 'any' },
  google_pay: { paymentTypes: ['GOOGLE_PAY'], paymentModes: [], currencies: 'any' },
  cash_app: { paymentTypes: ['CASH_APP'], paymentModes: [], currencies: ['USD'] },
  gcash: { paymentTypes: ['GCASH'], paymentModes: ['8'], currencies: ['PHP'] },
  pix: { paymentTypes: ['PIX'], paymentModes: ['7'], currencies: ['BRL'] },
  spei: { paymentTypes: ['SPEI'], paymentModes: ['17'], currencies: ['MXN'] },
  per_transfer: { paymentTypes: ['PER_TRANSFER'], paymentModes: ['19'], currencies: ['PEN'] },
  sepa: { paymentTypes: ['SEPA'], paymentModes: ['9'], currencies: ['EUR'] },
  vn_bank: { paymentTypes: ['VN_BANK'], paymentModes: [], currencies: ['VND'] },
  crypto: { paymentTypes: ['CRYPTO'], paymentModes: ['5'], currencies: 'any' },
} as const satisfies Record<string, MethodTraits>

export type Method = keyof typeof methods

export function methodOfPaymentType(paymentType: string): Method | undefined {
  return byPaymentType.get(paymentType)
}

const byPaymentType: ReadonlyMap<string, Method> = new Map(
  methodNames().flatMap((method) => methods[method].paymentTypes.map((type) => [type, method] as const)),
)

export function methodNames(): Method[] {
  return Object.keys(methods).filter((name): name is Method => name in methods)
}
