// Written by `npm run sdk` from the gateway's own tables. Do not edit.

/** The same type with these fields required. */
export type Needs<Fields, Names extends keyof Fields> = Fields & {
  readonly [Name in Names]-?: Exclude<Fields[Name], undefined>
}

/** The fields to sign, in this order, and whether the gateway checks the Referer. */
export const endpoints = {
  '/payment': { signed: ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'], checksReferer: true },
  '/cashier/checkStand': { signed: ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'], checksReferer: true },
  '/cashier/checkStandPay': { signed: ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'], checksReferer: true },
  '/cashier/checkStandPayment': { signed: ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'], checksReferer: true },
  '/payout': { signed: ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'], checksReferer: true },
  '/refund/apply': { signed: ['merNo', 'merOrderNo', 'amount', 'tradeNo'], checksReferer: false, signedLonger: ['merNo', 'merOrderNo', 'amount', 'tradeNo', 'merRefundNo'] },
  '/order/query': { signed: ['merNo', 'merOrderNo', 'tradeNo'], checksReferer: false },
  '/balance/query': { signed: ['merNo', 'version'], checksReferer: false },
  '/order/queryOrderList': { signed: ['merNo'], checksReferer: false },
  '/order/queryAmount': { signed: ['merNo'], checksReferer: false },
  '/file/upload': { signed: ['type', 'merNo'], checksReferer: false },
  '/review/submit': { signed: ['merNo', 'tradeNo'], checksReferer: false },
} as const

/** The pay-in methods, with the values that choose them. */
export const methods = {
  card: { paymentType: '', paymentMode: 'CREDIT_CARD' },
  alipay: { paymentType: 'ALIPAY', paymentMode: 'ALIPAY' },
  wechat: { paymentType: 'WECHAT', paymentMode: 'WECHAT' },
  unionpay: { paymentType: 'UNIONPAY_H5', paymentMode: 'UNIONPAY_H5' },
  apple_pay: { paymentType: 'APPLE_PAY', paymentMode: 'APPLE_PAY' },
  google_pay: { paymentType: 'GOOGLE_PAY', paymentMode: 'GOOGLE_PAY' },
  cash_app: { paymentType: 'CASH_APP', paymentMode: 'CASH_APP' },
  gcash: { paymentType: 'GCASH', paymentMode: 'GCASH' },
  pix: { paymentType: 'PIX', paymentMode: 'PIX' },
  spei: { paymentType: 'SPEI', paymentMode: 'SPEI' },
  per_transfer: { paymentType: 'PER_TRANSFER', paymentMode: 'PER_TRANSFER' },
  sepa: { paymentType: 'SEPA', paymentMode: 'SEPA' },
  vn_bank: { paymentType: 'VN_BANK', paymentMode: 'VN_BANK' },
  crypto: { paymentType: 'CRYPTO', paymentMode: 'CRYPTO' },
} as const
export type Method = keyof typeof methods

/** The kinds of payout, with their `withdrawType`. */
export const payoutKinds = {
  card: '1',
  checkout: '2',
  bank_account: '3',
  pix: '4',
  per_transfer: '5',
  spei: '6',
} as const
export type PayoutKind = keyof typeof payoutKinds

/** The states in the order list. */
export const orderStates = {
  processing: 1,
  succeeded: 5,
  failed: 6,
  cancelled: 7,
  refunded: 9,
  refunding: 10,
  chargedBack: 11,
  disputed: 12,
  chargedBackAfterRefund: 17,
  informationAsked: 24,
  inReview: 25,
} as const
export type OrderState = (typeof orderStates)[keyof typeof orderStates]

/** The events that are notified, with the type of their body. */
export const notificationEvents = {
  payment: 'form',
  payout: 'form',
  review: 'form',
  refund: 'json',
  chargeback: 'json',
} as const
export type NotificationEvent = keyof typeof notificationEvents

/** The codes of refusals. */
export type ErrorCode =
  | '10000'
  | '10001'
  | '10002'
  | '10003'
  | '10004'
  | '10005'
  | '10006'
  | '10007'
  | '10008'
  | '10009'
  | '10010'
  | '10011'
  | '10012'
  | '10013'
  | '10014'
  | '10015'
  | '10016'
  | '10017'
  | '10018'
  | '10019'
  | '10020'
  | '10021'
  | '10022'
  | '10023'
  | '10024'
  | '10025'
  | '10026'
  | '10101'
  | '10102'
  | '10103'
  | '10104'
  | '10105'
  | '10106'
  | '10107'
  | '10108'
  | '10109'
  | '99995'
  | '99996'
  | '99997'
  | '99998'
  | '99999'

export type PaymentFieldsBase = {
  /** At most 32 characters. */
  readonly merOrderNo: string
  /** At most 3 characters. */
  readonly currencyCode: string
  /** An amount with two decimals, such as `10.00`; at most 12 characters. */
  readonly sourceAmount: string
  /** An absolute http or https address; at most 512 characters. */
  readonly returnUrl: string
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly notifyUrl?: string | undefined
  /** A card number; at most 19 characters. */
  readonly cardNo?: string | undefined
  /** `01` to `12`; at most 2 characters. */
  readonly cardExpireMonth?: string | undefined
  /** Four digits; at most 4 characters. */
  readonly cardExpireYear?: string | undefined
  /** Three digits; four for American Express; at most 4 characters. */
  readonly cardSecurityCode?: string | undefined
  /** At most 50 characters. */
  readonly billingFirstName?: string | undefined
  /** At most 50 characters. */
  readonly billingLastName?: string | undefined
  /** At most 128 characters. */
  readonly billingAddress1?: string | undefined
  /** At most 128 characters. */
  readonly billingAddress2?: string | undefined
  /** At most 100 characters. */
  readonly billingCity?: string | undefined
  /** At most 100 characters. */
  readonly billingState?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly billingCountry?: string | undefined
  /** At most 20 characters. */
  readonly billingZipCode?: string | undefined
  /** At most 20 characters. */
  readonly billingPhone?: string | undefined
  /** An e-mail address; at most 100 characters. */
  readonly billingEmail?: string | undefined
  /** At most 50 characters. */
  readonly shippingFirstName?: string | undefined
  /** At most 50 characters. */
  readonly shippingLastName?: string | undefined
  /** At most 128 characters. */
  readonly shippingAddress1?: string | undefined
  /** At most 128 characters. */
  readonly shippingAddress2?: string | undefined
  /** At most 100 characters. */
  readonly shippingCity?: string | undefined
  /** At most 100 characters. */
  readonly shippingState?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly shippingCountry?: string | undefined
  /** At most 20 characters. */
  readonly shippingZipCode?: string | undefined
  /** At most 20 characters. */
  readonly shippingPhone?: string | undefined
  /** An e-mail address; at most 100 characters. */
  readonly shippingEmail?: string | undefined
  /** At most 128 characters. */
  readonly userAgent?: string | undefined
  /** An IPv4 or IPv6 address; at most 64 characters. */
  readonly ipAddress: string
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  /** At most 255 characters. */
  readonly userId?: string | undefined
  /** An e-mail address; at most 255 characters. */
  readonly email?: string | undefined
  readonly osType?: 'IOS' | 'ANDROID' | undefined
  readonly terminal?: 'WEB' | 'WAP' | 'APP' | 'MINI_APP' | undefined
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly protestNotifyUrl?: string | undefined
  /** At most 1024 characters. */
  readonly acceptHeader?: string | undefined
  /** At most 255 characters. */
  readonly deviceId?: string | undefined
  /** At most 255 characters. */
  readonly language?: string | undefined
  /** At most 255 characters. */
  readonly timezone?: string | undefined
  readonly screenColorDepth?: number | undefined
  readonly screenHeight?: number | undefined
  readonly screenWidth?: number | undefined
  readonly javaEnabled?: boolean | undefined
  readonly javascriptEnabled?: boolean | undefined
  /** At most 255 characters. */
  readonly latitude?: string | undefined
  /** At most 255 characters. */
  readonly longitude?: string | undefined
  /** At most 255 characters. */
  readonly deviceModel?: string | undefined
  /** At most 255 characters. */
  readonly osVersion?: string | undefined
}

export type PaymentFields = {
  readonly card: Needs<PaymentFieldsBase, 'cardNo' | 'cardExpireMonth' | 'cardExpireYear' | 'cardSecurityCode' | 'billingFirstName' | 'billingLastName' | 'billingAddress1' | 'billingCity' | 'billingState' | 'billingCountry' | 'billingZipCode' | 'billingPhone' | 'billingEmail' | 'shippingFirstName' | 'shippingLastName' | 'shippingAddress1' | 'shippingCity' | 'shippingState' | 'shippingCountry' | 'shippingZipCode' | 'shippingPhone' | 'shippingEmail' | 'userAgent'> & {
    readonly productInfoList: readonly ProductInfoListItem[]
  }
  /** CNY, USD, EUR, HKD only. */
  readonly alipay: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  /** CNY, USD, EUR, HKD only. */
  readonly wechat: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  /** CNY, USD, EUR, HKD only. */
  readonly unionpay: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  readonly apple_pay: PaymentFieldsBase & {
    readonly productInfoList: readonly ProductInfoListItem2[]
    readonly browser: Browser
    readonly applePayToken?: string | undefined
  }
  readonly google_pay: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
    readonly googlePayToken?: string | undefined
  }
  /** USD only. */
  readonly cash_app: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  /** PHP only. */
  readonly gcash: Needs<PaymentFieldsBase, 'userId' | 'email' | 'osType' | 'terminal'> & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  /** BRL only. */
  readonly pix: Needs<PaymentFieldsBase, 'userId' | 'email'> & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
    /** At most 255 characters. */
    readonly name: string
    /** At most 255 characters. */
    readonly socialSecurityNumber: string
  }
  /** MXN only. */
  readonly spei: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  /** PEN only. */
  readonly per_transfer: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
    readonly customerIdentificationType: '00' | '01' | '02' | '03'
    /** At most 255 characters. */
    readonly customerIdentification: string
  }
  /** EUR only. */
  readonly sepa: Needs<PaymentFieldsBase, 'userAgent' | 'userId' | 'email'> & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
  }
  /** VND only. */
  readonly vn_bank: Needs<PaymentFieldsBase, 'userId' | 'email'> & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
    /** At most 255 characters. */
    readonly productName: string
    readonly paymentMethodStr: 'qrcode' | 'va'
    readonly vaBankId: number
  }
  readonly crypto: PaymentFieldsBase & {
    readonly productInfoList?: readonly ProductInfoListItem[] | undefined
    readonly coin: 'USDT' | 'USDC' | 'ETH'
    readonly network: 'ERC20' | 'POLYGON'
  }
}

export type CheckoutFields = {
  /** At most 32 characters. */
  readonly merOrderNo: string
  /** At most 3 characters. */
  readonly currencyCode: string
  /** An amount with two decimals, such as `10.00`; at most 12 characters. */
  readonly sourceAmount: string
  /** An absolute http or https address; at most 512 characters. */
  readonly returnUrl: string
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly notifyUrl?: string | undefined
  /** At most 50 characters. */
  readonly billingFirstName?: string | undefined
  /** At most 50 characters. */
  readonly billingLastName?: string | undefined
  /** At most 128 characters. */
  readonly billingAddress1?: string | undefined
  /** At most 128 characters. */
  readonly billingAddress2?: string | undefined
  /** At most 100 characters. */
  readonly billingCity?: string | undefined
  /** At most 100 characters. */
  readonly billingState?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly billingCountry?: string | undefined
  /** At most 20 characters. */
  readonly billingZipCode?: string | undefined
  /** At most 20 characters. */
  readonly billingPhone?: string | undefined
  /** An e-mail address; at most 100 characters. */
  readonly billingEmail?: string | undefined
  /** At most 50 characters. */
  readonly shippingFirstName?: string | undefined
  /** At most 50 characters. */
  readonly shippingLastName?: string | undefined
  /** At most 128 characters. */
  readonly shippingAddress1?: string | undefined
  /** At most 128 characters. */
  readonly shippingAddress2?: string | undefined
  /** At most 100 characters. */
  readonly shippingCity?: string | undefined
  /** At most 100 characters. */
  readonly shippingState?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly shippingCountry?: string | undefined
  /** At most 20 characters. */
  readonly shippingZipCode?: string | undefined
  /** At most 20 characters. */
  readonly shippingPhone?: string | undefined
  /** An e-mail address; at most 100 characters. */
  readonly shippingEmail?: string | undefined
  /** At most 128 characters. */
  readonly userAgent?: string | undefined
  /** An IPv4 or IPv6 address; at most 64 characters. */
  readonly ipAddress: string
  readonly productInfoList: readonly ProductInfoListItem[]
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  /** At most 255 characters. */
  readonly userId?: string | undefined
  /** An e-mail address; at most 255 characters. */
  readonly email?: string | undefined
  readonly osType?: 'IOS' | 'ANDROID' | undefined
  readonly terminal?: 'WEB' | 'WAP' | 'APP' | 'MINI_APP' | undefined
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly protestNotifyUrl?: string | undefined
  /** At most 1024 characters. */
  readonly acceptHeader?: string | undefined
  /** At most 255 characters. */
  readonly deviceId?: string | undefined
  /** At most 255 characters. */
  readonly language?: string | undefined
  /** At most 255 characters. */
  readonly timezone?: string | undefined
  readonly screenColorDepth?: number | undefined
  readonly screenHeight?: number | undefined
  readonly screenWidth?: number | undefined
  readonly javaEnabled?: boolean | undefined
  readonly javascriptEnabled?: boolean | undefined
  /** At most 255 characters. */
  readonly latitude?: string | undefined
  /** At most 255 characters. */
  readonly longitude?: string | undefined
  /** At most 255 characters. */
  readonly deviceModel?: string | undefined
  /** At most 255 characters. */
  readonly osVersion?: string | undefined
}

export type CheckoutPaymentFieldsBase = {
  /** At most 32 characters. */
  readonly merOrderNo: string
  /** At most 3 characters. */
  readonly currencyCode: string
  /** An amount with two decimals, such as `10.00`; at most 12 characters. */
  readonly sourceAmount: string
  /** An absolute http or https address; at most 512 characters. */
  readonly returnUrl: string
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly notifyUrl?: string | undefined
  /** At most 50 characters. */
  readonly billingFirstName?: string | undefined
  /** At most 50 characters. */
  readonly billingLastName?: string | undefined
  /** At most 128 characters. */
  readonly billingAddress1?: string | undefined
  /** At most 128 characters. */
  readonly billingAddress2?: string | undefined
  /** At most 100 characters. */
  readonly billingCity?: string | undefined
  /** At most 100 characters. */
  readonly billingState?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly billingCountry?: string | undefined
  /** At most 20 characters. */
  readonly billingZipCode?: string | undefined
  /** At most 20 characters. */
  readonly billingPhone?: string | undefined
  /** An e-mail address; at most 100 characters. */
  readonly billingEmail?: string | undefined
  /** At most 50 characters. */
  readonly shippingFirstName?: string | undefined
  /** At most 50 characters. */
  readonly shippingLastName?: string | undefined
  /** At most 128 characters. */
  readonly shippingAddress1?: string | undefined
  /** At most 128 characters. */
  readonly shippingAddress2?: string | undefined
  /** At most 100 characters. */
  readonly shippingCity?: string | undefined
  /** At most 100 characters. */
  readonly shippingState?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly shippingCountry?: string | undefined
  /** At most 20 characters. */
  readonly shippingZipCode?: string | undefined
  /** At most 20 characters. */
  readonly shippingPhone?: string | undefined
  /** An e-mail address; at most 100 characters. */
  readonly shippingEmail?: string | undefined
  /** At most 128 characters. */
  readonly userAgent: string
  /** An IPv4 or IPv6 address; at most 64 characters. */
  readonly ipAddress: string
  readonly productInfoList: readonly ProductInfoListItem[]
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  /** At most 255 characters. */
  readonly userId?: string | undefined
  /** An e-mail address; at most 255 characters. */
  readonly email?: string | undefined
  readonly osType?: 'IOS' | 'ANDROID' | undefined
  readonly terminal?: 'WEB' | 'WAP' | 'APP' | 'MINI_APP' | undefined
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly protestNotifyUrl?: string | undefined
  /** At most 1024 characters. */
  readonly acceptHeader?: string | undefined
  /** At most 255 characters. */
  readonly deviceId?: string | undefined
  /** At most 255 characters. */
  readonly language?: string | undefined
  /** At most 255 characters. */
  readonly timezone?: string | undefined
  readonly screenColorDepth?: number | undefined
  readonly screenHeight?: number | undefined
  readonly screenWidth?: number | undefined
  readonly javaEnabled?: boolean | undefined
  readonly javascriptEnabled?: boolean | undefined
  /** At most 255 characters. */
  readonly latitude?: string | undefined
  /** At most 255 characters. */
  readonly longitude?: string | undefined
  /** At most 255 characters. */
  readonly deviceModel?: string | undefined
  /** At most 255 characters. */
  readonly osVersion?: string | undefined
}

export type CheckoutPaymentFields = {
  readonly card: CheckoutPaymentFieldsBase
  /** CNY, USD, EUR, HKD only. */
  readonly alipay: CheckoutPaymentFieldsBase
  /** CNY, USD, EUR, HKD only. */
  readonly wechat: CheckoutPaymentFieldsBase
  /** CNY, USD, EUR, HKD only. */
  readonly unionpay: CheckoutPaymentFieldsBase
  readonly apple_pay: CheckoutPaymentFieldsBase & {
    readonly browser?: Browser | undefined
    readonly applePayToken?: string | undefined
  }
  readonly google_pay: CheckoutPaymentFieldsBase & {
    readonly googlePayToken?: string | undefined
  }
  /** USD only. */
  readonly cash_app: CheckoutPaymentFieldsBase
  /** PHP only. */
  readonly gcash: CheckoutPaymentFieldsBase
  /** BRL only. */
  readonly pix: CheckoutPaymentFieldsBase & {
    /** At most 255 characters. */
    readonly name?: string | undefined
    /** At most 255 characters. */
    readonly socialSecurityNumber?: string | undefined
  }
  /** MXN only. */
  readonly spei: CheckoutPaymentFieldsBase
  /** PEN only. */
  readonly per_transfer: CheckoutPaymentFieldsBase & {
    readonly customerIdentificationType?: '00' | '01' | '02' | '03' | undefined
    /** At most 255 characters. */
    readonly customerIdentification?: string | undefined
  }
  /** EUR only. */
  readonly sepa: CheckoutPaymentFieldsBase
  /** VND only. */
  readonly vn_bank: CheckoutPaymentFieldsBase & {
    /** At most 255 characters. */
    readonly productName?: string | undefined
    readonly paymentMethodStr?: 'qrcode' | 'va' | undefined
    readonly vaBankId?: number | undefined
  }
  readonly crypto: CheckoutPaymentFieldsBase & {
    readonly coin?: 'USDT' | 'USDC' | 'ETH' | undefined
    readonly network?: 'ERC20' | 'POLYGON' | undefined
  }
}

export type PayoutFieldsBase = {
  /** At most 32 characters. */
  readonly merOrderNo: string
  /** At most 3 characters. */
  readonly currencyCode: string
  /** An amount with two decimals, such as `10.00`; at most 12 characters. */
  readonly sourceAmount: string
  /** An absolute http or https address; at most 512 characters. */
  readonly returnUrl?: string | undefined
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly notifyUrl?: string | undefined
  /** At most 255 characters. */
  readonly benFirstName: string
  /** At most 255 characters. */
  readonly benLastName: string
  /** Digits with an optional `+`, or in the form `1-5125550100`; at most 255 characters. */
  readonly mobile?: string | undefined
  /** At most 255 characters. */
  readonly addressLine?: string | undefined
  /** At most 255 characters. */
  readonly addressLine2?: string | undefined
  /** At most 255 characters. */
  readonly city?: string | undefined
  /** At most 255 characters. */
  readonly state?: string | undefined
  /** A two-letter ISO country code; at most 2 characters. */
  readonly countryCode?: string | undefined
  /** At most 255 characters. */
  readonly postCode?: string | undefined
  /** An e-mail address; at most 255 characters. */
  readonly email?: string | undefined
  /** An IPv4 or IPv6 address; at most 64 characters. */
  readonly ipAddress?: string | undefined
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  readonly beneficiaryType?: 'individual' | 'business' | undefined
  readonly accountHolderType?: '0' | '1' | undefined
  /** At most 255 characters. */
  readonly bankCode?: string | undefined
  readonly accountType?: '00' | '01' | undefined
  readonly customerIdentificationType?: '00' | '01' | '02' | '03' | undefined
  /** At most 255 characters. */
  readonly customerIdentification?: string | undefined
}

export type PayoutFields = {
  readonly card: Needs<PayoutFieldsBase, 'mobile'> & {
    /** At most 16 characters. */
    readonly cardNo: string
    /** At most 255 characters. */
    readonly cardExpireMonth?: string | undefined
    /** At most 255 characters. */
    readonly cardExpireYear?: string | undefined
  }
  readonly checkout: Needs<PayoutFieldsBase, 'email'> & {
    /** At most 255 characters. */
    readonly cardNo?: string | undefined
  }
  readonly bank_account: Needs<PayoutFieldsBase, 'addressLine' | 'city' | 'countryCode' | 'beneficiaryType'> & {
    /** At most 255 characters. */
    readonly cardNo: string
  }
  readonly pix: PayoutFieldsBase & {
    /** At most 255 characters. */
    readonly cardNo: string
  }
  readonly per_transfer: Needs<PayoutFieldsBase, 'accountType' | 'customerIdentificationType' | 'customerIdentification'> & {
    /** At most 255 characters. */
    readonly cardNo: string
  }
  readonly spei: PayoutFieldsBase & {
    /** At most 255 characters. */
    readonly cardNo: string
  }
}

export type RefundFields = {
  /** At most 32 characters. */
  readonly merOrderNo: string
  /** An amount with two decimals, such as `10.00`; at most 12 characters. */
  readonly amount: string
  /** An absolute http or https address that the gateway can reach; at most 512 characters. */
  readonly notifyUrl?: string | undefined
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  /** At most 50 characters. */
  readonly tradeNo: string
  /** At most 1000 characters. */
  readonly remark?: string | undefined
  /** At most 32 characters. */
  readonly merRefundNo?: string | undefined
}

export type OrderQueryFields = {
  /** At most 32 characters. */
  readonly merOrderNo: string
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  /** At most 50 characters. */
  readonly tradeNo?: string | undefined
  readonly queryType: 'sales' | 'refund' | 'chargeback'
  /** At most 50 characters. */
  readonly refundNo?: string | undefined
  /** At most 32 characters. */
  readonly merRefundNo?: string | undefined
}

export type BalanceQueryFields = {
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  /** At most 255 characters. */
  readonly currency?: string | undefined
}

export type OrderListFields = {
  readonly merOrderNos?: readonly string[] | undefined
  readonly tradeNos?: readonly string[] | undefined
  readonly dateLimit?: DateLimit | undefined
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  readonly pageNum?: number | undefined
  readonly pageSize?: number | undefined
  readonly asOf?: string | undefined
}

export type AmountQueryFields = {
  readonly orderStatusList?: readonly ('1' | '5' | '6' | '7' | '9' | '10' | '11' | '12' | '17' | '24' | '25')[] | undefined
  readonly sourceCurrencyList?: readonly string[] | undefined
  readonly settleCurrencyList?: readonly string[] | undefined
  readonly merOrderNoList?: readonly string[] | undefined
  readonly settlementStatusList?: readonly ('0' | '1')[] | undefined
  /** `YYYY-MM-DD`; at most 10 characters. */
  readonly startDate?: string | undefined
  /** `YYYY-MM-DD`; at most 10 characters. */
  readonly endDate?: string | undefined
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
}

export type UploadFields = {
  /** At most 255 characters. */
  readonly type: string
}

export type ReviewFields = {
  /** At most 50 characters. */
  readonly tradeNo: string
  /** At most 6 characters; `V3.0.0` unless given. */
  readonly version?: string | undefined
  readonly info?: Info | undefined
  readonly files?: readonly FilesItem[] | undefined
}

/** `data` of a response. */
export type PaymentAnswer = {
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly merorderNo: string
  readonly payCode: 0 | 1 | 2
  readonly payUrl?: string | undefined
  readonly qrCode?: string | undefined
  readonly account?: string | undefined
  readonly reference?: string | undefined
  readonly payeeName?: string | undefined
  readonly bankName?: string | undefined
  readonly bic?: string | undefined
  readonly coin?: string | undefined
  readonly network?: string | undefined
  readonly coinAmount?: string | undefined
  readonly sdkParams?: string | undefined
  readonly expiresAt?: string | undefined
  readonly message: string
}

/** `data` of a response. */
export type RepeatedPaymentAnswer = {
  readonly tradeNo: string
}

/** `data` of a response. */
export type PayoutAnswer = {
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly merorderNo: string
  readonly payCode: 0 | 1 | 2
  readonly payUrl?: string | undefined
  readonly message: string
}

/** `data` of a response. */
export type RefundAnswer = {
  readonly refundNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly merNo: string
  readonly refundAmount: string
  readonly refundCurrency: string
}

/** `data` of a response. */
export type SalesQueryAnswer = {
  readonly state: 1 | 2 | 3
  readonly merNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly message: string
  readonly tradeFee: string
  readonly receiveAmount: string
  readonly settle: 0 | 1
  readonly gasFee?: string | undefined
  readonly transactionHash?: string | undefined
  readonly refuseAmount?: string | undefined
  readonly refuseCurrency?: string | undefined
  readonly actualRefuseAmount?: string | undefined
  readonly actualRefuseCurrency?: string | undefined
}

/** `data` of a response. */
export type RefundQueryAnswer = {
  readonly state: 4 | 5 | 6
  readonly refundNo: string
  readonly merNo: string
  readonly merRefundNo?: string | undefined
  readonly refundAmount: string
  readonly refundCurrency: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly message: string
}

/** `data` of a response. */
export type ChargebackQueryAnswer = {
  readonly state: 1 | 2 | 3
  readonly merNo: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly message: string
  readonly reason: string
  readonly refuseAmount: string
  readonly refuseCurrency: string
  readonly actualRefuseAmount: string
  readonly actualRefuseCurrency: string
}

/** `data` of a response. */
export type OrderListAnswer = {
  readonly pageNum: number
  readonly pageSize: number
  readonly totalPage: number
  readonly total: number
  readonly list: readonly ListItem[]
  readonly asOf: string
}

/** `data` of a response. */
export type BalanceQueryAnswer = {
  readonly currency: string
  readonly balance: string
  readonly unCheckedBalance: string
  readonly totalBalance: string
  readonly balances?: readonly BalancesItem[] | undefined
}

/** `data` of a response. */
export type AmountQueryAnswer = {
  readonly settleAmountList: readonly SettleAmountListItem[]
  readonly sourceAmountList: readonly SourceAmountListItem[]
}

/** `data` of a response. */
export type UploadAnswer = {
  readonly fileId: string
}

/** `data` of a response. */
export type ReviewAnswer = {
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly merNo: string
  readonly state: 25
}

/** The fields of each notification, without its signature. */
export type NotificationFields = {
  readonly payment: {
    readonly tradeNo: string
    readonly merOrderNo: string
    readonly code: '0' | '1'
    readonly message: string
    readonly currencyCode?: string | undefined
    readonly sourceAmount?: string | undefined
    readonly receiveAmount?: string | undefined
    readonly txHash?: string | undefined
    readonly counterpartyAccountName?: string | undefined
    readonly counterpartyAccountNum?: string | undefined
  }
  readonly payout: {
    readonly tradeNo: string
    readonly merOrderNo: string
    readonly code: '0' | '1'
    readonly message: string
    readonly currencyCode?: string | undefined
    readonly sourceAmount?: string | undefined
    readonly receiveAmount?: string | undefined
    readonly txHash?: string | undefined
    readonly counterpartyAccountName?: string | undefined
    readonly counterpartyAccountNum?: string | undefined
  }
  readonly review: {
    readonly tradeNo: string
    readonly merOrderNo: string
    readonly code: '3'
    readonly message: string
    readonly receiveAmount?: string | undefined
    readonly txHash?: string | undefined
    readonly counterpartyAccountName?: string | undefined
    readonly counterpartyAccountNum?: string | undefined
  }
  readonly refund: {
    readonly tradeNo: string
    readonly merOrderNo: string
    readonly refundNo: string
    readonly state: 0 | 1
    readonly message: string
    readonly refundAmount: string
    readonly refundCurrency: string
  }
  readonly chargeback: {
    readonly tradeNo: string
    readonly merOrderNo: string
    readonly code: '1' | '2' | '3'
    readonly message: string
    readonly reason: string
    readonly currency: string
    readonly amount: string
  }
}

export type ProductInfoListItem = {
  /** At most 64 characters. */
  readonly sku: string
  /** At most 128 characters. */
  readonly productName: string
  /** At most 16 characters. */
  readonly price: string
  /** At most 16 characters. */
  readonly quantity: string
}

export type ProductInfoListItem2 = {
  /** At most 64 characters. */
  readonly sku: string
  /** At most 128 characters. */
  readonly productName: string
  /** At most 16 characters. */
  readonly price: string
  /** At most 16 characters. */
  readonly quantity: string
  /** An absolute http or https address; at most 512 characters. */
  readonly productUrl?: string | undefined
}

export type Browser = {
  /** At most 255 characters. */
  readonly screenHeight?: string | undefined
  /** At most 255 characters. */
  readonly screenWidth?: string | undefined
  /** At most 255 characters. */
  readonly timeZoneOffset?: string | undefined
  /** At most 255 characters. */
  readonly userAgent?: string | undefined
  /** At most 255 characters. */
  readonly visitorId?: string | undefined
}

export type DateLimit = {
  /** `YYYY-MM-DD HH:mm:ss`; at most 19 characters. */
  readonly from: string
  /** `YYYY-MM-DD HH:mm:ss`; at most 19 characters. */
  readonly to: string
}

export type Info = {
  /** At most 255 characters. */
  readonly payerName?: string | undefined
  /** At most 255 characters. */
  readonly payerEmail?: string | undefined
  /** At most 255 characters. */
  readonly payerNationality?: string | undefined
  /** At most 255 characters. */
  readonly payerBirthday?: string | undefined
  /** At most 255 characters. */
  readonly businessModel?: string | undefined
  /** At most 255 characters. */
  readonly fundUsageDescription?: string | undefined
  /** At most 255 characters. */
  readonly proofOfDeliveryInformation?: string | undefined
  /** At most 255 characters. */
  readonly profitModel?: string | undefined
  /** At most 255 characters. */
  readonly customerAcquisitionModel?: string | undefined
  /** At most 255 characters. */
  readonly transactionWebsite?: string | undefined
  /** At most 255 characters. */
  readonly payeeName?: string | undefined
  /** At most 255 characters. */
  readonly payeeNationality?: string | undefined
  /** At most 255 characters. */
  readonly payeeBirthday?: string | undefined
}

export type FilesItem = {
  readonly type: 'documentsProvingSourceOfFunds' | 'payerIdentityDocument' | 'buyerConfirmationLetter' | 'buyerPaymentStatement' | 'documentsProvingBusinessTransactions' | 'transactionProofDocuments' | 'transactionDetails' | 'historicalOrderRecords' | 'communicationRecordsWithPayers'
  /** At most 255 characters. */
  readonly fileId: string
}

export type ListItem = {
  readonly state: 1 | 5 | 6 | 7 | 9 | 10 | 11 | 12 | 17 | 24 | 25
  readonly merOrderNo: string
  readonly tradeNo: string
  readonly handlingFee: string
  readonly receiveAmount: string
  readonly settleAmount: string
  readonly settlementCurrency: string
  readonly margin: string
  readonly marginStatus: 0 | 1
  readonly transactionProcessingFee: string
  readonly exceptionHandlingFee: string
  readonly refundAmount: string
  readonly refundCurrency: string
  readonly sourceAmount: string
  readonly sourceCurrency: string
  readonly refusalPayReason: string
  readonly message: string
  readonly settle?: 0 | 1 | undefined
}

export type BalancesItem = {
  readonly currency: string
  readonly balance: string
  readonly unCheckedBalance: string
  readonly totalBalance: string
}

export type SettleAmountListItem = {
  readonly settleAmount: string
  readonly settleCurrency: string
}

export type SourceAmountListItem = {
  readonly sourceAmount: string
  readonly sourceCurrency: string
}
