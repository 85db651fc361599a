// The words of payers' pages. The other languages have the same keys, by type. A label is looked up by its field's name, and
// that of a choice by `name.value`.
import { enPayouts } from './payouts/en.ts'

export const en = {
  sandbox: 'Sandbox: no money moves',

  order: {
    items: 'Your order',
    total: 'Total',
    number: 'Order',
    payment: 'Payment',
    payout: 'Payout',
    beneficiary: 'To',
    paysYou: (merchant: string) => `${merchant} pays you`,
  },

  choose: {
    title: 'How would you like to pay?',
    oneWay: (method: string) => `Pay with ${method}`,
    pay: (amount: string) => `Pay ${amount}`,
    card: 'Card details',
    codeHint: '3 digits, 4 for Amex',
    billing: 'Billing details',
    details: 'Your details',
    pick: 'Choose',
    again: 'You can try again, or try another way.',
    fix: 'Please check the marked fields.',
    retype: 'Enter the card number and security code again.',
    paying: 'One moment…',
  },

  methods: {
    card: { name: 'Card', advice: '' },
    alipay: { name: 'Alipay', advice: 'You go on to Alipay to confirm, and come back here.' },
    wechat: {
      name: 'WeChat Pay',
      advice: 'You pay in the WeChat app: by scanning a code, or right on your phone.',
    },
    unionpay: { name: 'UnionPay', advice: 'You go on to UnionPay to confirm, and come back here.' },
    apple_pay: { name: 'Apple Pay', advice: 'You confirm with Apple Pay, and come back here.' },
    google_pay: { name: 'Google Pay', advice: 'You confirm with Google Pay, and come back here.' },
    cash_app: { name: 'Cash App Pay', advice: 'You go on to Cash App to confirm, and come back here.' },
    gcash: { name: 'GCash', advice: 'You get a QR Ph code to scan with GCash.' },
    pix: { name: 'Pix', advice: 'You get a QR code, and a code to copy into your bank’s app.' },
    spei: { name: 'SPEI transfer', advice: 'You get a CLABE to transfer to from your bank.' },
    per_transfer: { name: 'Bank transfer in Peru', advice: 'You get a CCI to transfer to from your bank.' },
    sepa: { name: 'SEPA transfer', advice: 'You get an IBAN to transfer to from your bank.' },
    vn_bank: { name: 'Vietnamese bank', advice: 'You pay by VietQR, or to an account made for this order.' },
    crypto: { name: 'Crypto', advice: 'You get an address and the exact amount to send.' },
  },

  fields: {
    cardNo: 'Card number',
    cardExpiry: 'Expires (MM/YY)',
    cardSecurityCode: 'Security code',
    billingFirstName: 'First name',
    billingLastName: 'Last name',
    billingAddress1: 'Address',
    billingCity: 'City',
    billingState: 'State or region',
    billingCountry: 'Country',
    billingZipCode: 'Postal code',
    billingPhone: 'Phone',
    billingEmail: 'Email',
    email: 'Email',
    name: 'Full name',
    socialSecurityNumber: 'CPF or CNPJ',
    customerIdentificationType: 'Document',
    customerIdentification: 'Document number',
    paymentMethodStr: 'Way to pay',
    vaBankId: 'Bank',
    coin: 'Coin',
    network: 'Network',
  },

  choices: {
    'customerIdentificationType.00': 'Identity card (DNI)',
    'customerIdentificationType.01': 'Foreigner’s card (CE)',
    'customerIdentificationType.02': 'Tax number (RUC)',
    'customerIdentificationType.03': 'Passport',
    'paymentMethodStr.qrcode': 'QR code (VietQR)',
    'paymentMethodStr.va': 'Transfer to an account of its own',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'A person',
    'beneficiaryType.business': 'A business',
    'accountType.00': 'Current account',
    'accountType.01': 'Savings account',
  },

  /** What is wrong with a field, by the name that the check gives it. */
  problems: {
    missing: 'Fill this in',
    tooLong: 'This is too long, or has characters that cannot be used',
    notListed: 'Choose one from the list',
    invalid: 'Check this: it does not look right',
    cardNumber: 'Check the card number: a digit is wrong or missing',
    cardBrand: 'This shop does not take this kind of card',
    expiry: 'Enter month and year, such as 08/29',
    expired: 'This card has expired',
    securityCode: 'Enter the three digits on the back of the card',
    securityCodeInFront: 'Enter the four digits on the front of the card',
    email: 'Enter an email address, such as name@example.com',
    taxNumber: 'Check the CPF or CNPJ: a digit is wrong or missing',
    document: 'The number does not fit the kind of document',
    network: 'This coin is not taken on this network',
    bankCodeMissing: 'An account number needs the BIC of its bank',
    bankCode: 'This is not a BIC',
    account: 'Check the account: a digit is wrong or missing',
  },

  /** What concerns the whole form. */
  notices: {
    stale: 'This payment went on in another tab or window. This is how it stands now.',
    tooManyTries: 'There were too many tries. Wait a few minutes, or pay in another way.',
    unavailable: 'This way to pay is not available just now. Please choose another.',
    limit: 'This amount cannot be paid in this way. Please choose another.',
    unreachable: 'The bank cannot be reached just now. Try again in a moment.',
  },

  /** Why a payment failed. */
  reasons: {
    declined: 'Your bank or wallet declined it. You were not charged.',
    insufficientFunds: 'There is not enough money on the card or account. You were not charged.',
    expiredCard: 'The card has expired. You were not charged.',
    securityCode: 'The security code is not right. You were not charged.',
    notConfirmed: 'Your bank could not confirm that it was you. You were not charged.',
    cancelled: 'It was cancelled. You were not charged.',
    expired: 'The time to pay ran out. You were not charged.',
    unavailable: 'The payment could not be started. You were not charged.',
  },

  challenge: {
    title: 'Confirm your payment',
    heading: 'Your bank wants to know that it is you',
    text: 'Confirm the payment on your bank’s page. You come back here afterwards.',
    button: 'Continue to your bank',
  },

  redirect: {
    heading: (method: string) => `Continue with ${method}`,
    text: 'Confirm the payment there. You come back here afterwards.',
    button: (method: string) => `Continue to ${method}`,
  },

  qr: {
    title: (method: string) => `Pay with ${method}`,
    heading: 'Scan to pay',
    picture: 'QR code of this payment',
    scanWith: {
      pix: 'Open your bank’s app, choose Pix, and scan the code or paste it.',
      gcash: 'Open GCash, choose QR, and scan the code.',
      wechat: 'Open WeChat, choose Scan, and scan the code.',
      vn_bank: 'Open your bank’s app and scan the VietQR code.',
      other: 'Open your bank’s or wallet’s app and scan the code.',
    },
    openApp: 'Open the app',
    copyCode: 'Copy the code',
  },

  transfer: {
    title: 'Transfer the money',
    heading: 'Transfer from your bank',
    text: 'Transfer exactly this amount to this account, by app, online or at the counter.',
    reference: 'Write this reference in your transfer: it tells us that the money is yours.',
    scan: 'Or scan this with your bank’s app',
    leave: 'You can close this page. The shop learns by itself when the money is in.',
  },

  labels: {
    amount: 'Amount',
    payee: 'Payee',
    bank: 'Bank',
    reference: 'Reference',
    account: 'Account',
    va: 'Account number',
    address: 'Address',
    network: 'Network',
    coinAmount: 'Amount to send',
  },

  crypto: {
    title: (coin: string) => `Pay with ${coin}`,
    heading: (coin: string) => `Send ${coin}`,
    warning: (coin: string, network: string) =>
      `Send only ${coin}, and only on ${network}. What is sent on another network or in another coin is lost.`,
    exact: 'Send exactly this amount. Your wallet may add a network fee on top.',
    seen: 'Your transfer was seen',
    confirmations: (seen: number, needed: number) => `${seen} of ${needed} confirmations`,
  },

  copy: { button: 'Copy', done: 'Copied', named: (label: string) => `Copy: ${label}` },

  time: {
    left: (time: string) => `Time left: ${time}`,
    until: (moment: string) => `Pay by ${moment}`,
    over: 'The time to pay is over. If you have paid already, nothing is lost: this page shows the result.',
  },

  part: {
    heading: 'A part of the money has arrived',
    text: (came: string, missing: string) =>
      `${came} arrived, ${missing} is still missing. Send the rest in the same way.`,
  },

  waiting: {
    title: 'Payment in progress',
    heading: 'We are waiting for the answer',
    text: 'We are asking whether the payment went through. This page changes by itself.',
    leave: 'It is safe to leave: you are not charged twice, and the shop learns the result.',
    forPayment: 'Waiting for your payment. This page changes by itself.',
  },

  done: {
    title: 'Payment successful',
    heading: 'Your payment went through',
    text: 'Thank you. You can go back to the shop now.',
  },

  failed: { title: 'Payment failed', heading: 'Your payment did not go through' },

  cancelled: {
    title: 'Payment cancelled',
    heading: 'This payment was cancelled',
    text: 'You were not charged.',
  },

  expired: {
    title: 'Payment expired',
    heading: 'This payment has expired',
    text: 'The time to pay ran out, and you were not charged. If you sent money all the same, ask the shop about it.',
  },

  ways: {
    another: 'Pay another way',
    cancel: 'Cancel and return to shop',
    back: 'Return to shop',
    backIn: (seconds: string) => `You return to the shop in ${seconds} s.`,
    stay: 'Stay on this page',
  },

  /** What `/cashier/checkStand` answers before the payer is on our page. */
  cashier: {
    title: 'Payment',
    go: 'Continue to payment',
    refused: 'Payment not started',
    retry: 'Go back to the shop and try again.',
  },

  missing: {
    title: 'Page not found',
    heading: 'This payment page does not exist',
    text: 'The link is incomplete or too old. Go back to the shop and start the payment again.',
  },

  busy: 'This page was loaded too often. Wait a minute, then load it again: nothing is lost.',

  broken: {
    title: 'Something went wrong',
    heading: 'Something went wrong on our side',
    text: 'Load this page again in a moment. If you have confirmed the payment already, the shop learns the result.',
  },

  payout: enPayouts,
}

export type Words = typeof en
/** How a check names what is wrong with a field; the page says it in the payer's language. */
export type Problem = keyof Words['problems']
export type Notice = keyof Words['notices']
