// The English texts of the pages for payers and for beneficiaries of payouts. All other languages have the same keys.
// `fields` has the label of a field by its name, and `choices` has the label of a choice by `name.value`.

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
    cardBrands: (names: string) => `Accepted cards: ${names}`,
    codeHint: '3 digits, 4 for Amex',
    billing: 'Billing details',
    details: 'Your details',
    pick: 'Choose',
    again: 'You can try again or choose another way to pay.',
    fix: 'Please check the marked fields.',
    retype: 'Enter the card number and security code again.',
    paying: 'One moment…',
  },

  methods: {
    card: { name: 'Card', advice: '' },
    alipay: { name: 'Alipay', advice: 'You confirm at Alipay and then return here.' },
    wechat: {
      name: 'WeChat Pay',
      advice: 'You pay in the WeChat app: scan a code, or continue on this phone.',
    },
    unionpay: { name: 'UnionPay', advice: 'You confirm at UnionPay and then return here.' },
    cash_app: { name: 'Cash App Pay', advice: 'You confirm at Cash App and then return here.' },
    gcash: { name: 'GCash', advice: 'You get a QR Ph code to scan with GCash.' },
    pix: { name: 'Pix', advice: 'You get a QR code to scan, or a code to copy into your bank’s app.' },
    spei: { name: 'SPEI transfer', advice: 'You get a CLABE and transfer the money from your bank.' },
    per_transfer: {
      name: 'Bank transfer in Peru',
      advice: 'You get a CCI and transfer the money from your bank.',
    },
    sepa: { name: 'SEPA transfer', advice: 'You get an IBAN and transfer the money from your bank.' },
    vn_bank: {
      name: 'Vietnamese bank',
      advice: 'You pay by VietQR, or transfer to an account created for this order.',
    },
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
    'customerIdentificationType.01': 'Foreign resident card (CE)',
    'customerIdentificationType.02': 'Tax number (RUC)',
    'customerIdentificationType.03': 'Passport',
    'paymentMethodStr.qrcode': 'QR code (VietQR)',
    'paymentMethodStr.va': 'Transfer to an account for this order',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'A person',
    'beneficiaryType.business': 'A business',
    'accountType.00': 'Current account',
    'accountType.01': 'Savings account',
  },

  /** Sentences about a wrong field. */
  problems: {
    missing: 'Fill this in',
    tooLong: 'This is too long or contains characters that are not allowed',
    notListed: 'Choose one from the list',
    invalid: 'Check this: it does not look right',
    cardNumber: 'Check the card number: a digit is wrong or missing',
    cardBrand: 'This shop does not accept this type of card',
    expiry: 'Enter month and year, such as 08/29',
    expired: 'This card has expired',
    securityCode: 'Enter the three digits on the back of the card',
    securityCodeInFront: 'Enter the four digits on the front of the card',
    email: 'Enter an email address, such as name@example.com',
    taxNumber: 'Check the CPF or CNPJ: a digit is wrong or missing',
    document: 'This number does not match the type of document',
    network: 'This coin is not accepted on this network',
    bankCodeMissing: 'Enter the BIC of the bank as well',
    bankCode: 'This is not a BIC',
    account: 'Check the account: a digit is wrong or missing',
  },

  notices: {
    stale: 'This payment continued in another tab or window. This page now shows its current state.',
    tooManyAttempts: 'There were too many attempts. Wait a few minutes, or choose another way to pay.',
    unavailable: 'This way to pay is not available right now. Please choose another.',
    limit: 'This amount cannot be paid this way. Please choose another way to pay.',
    unreachable: 'The bank cannot be reached right now. Try again in a moment.',
  },

  reasons: {
    declined: 'Your bank or wallet declined it. You were not charged.',
    insufficientFunds: 'There is not enough money on the card or account. You were not charged.',
    expiredCard: 'The card has expired. You were not charged.',
    securityCode: 'The security code is wrong. You were not charged.',
    notConfirmed: 'Your bank could not confirm that it was you. You were not charged.',
    cancelled: 'It was cancelled. You were not charged.',
    expired: 'The time to pay ran out. You were not charged.',
    unavailable: 'The payment could not be started. You were not charged.',
  },

  challenge: {
    title: 'Confirm your payment',
    heading: 'Your bank needs to confirm that it is you',
    text: 'Confirm the payment on your bank’s page. You will then return here.',
    button: 'Continue to your bank',
    /** Texts of a shop's dialog: the name of the frame with the bank's page, and the ways out of the frame. */
    frame: 'Your bank’s page',
    back: 'Back to the payment',
    empty: 'Does your bank’s page not appear?',
    instead: 'Open it in this window',
    /** The payer left the bank's page without a decision. */
    open: {
      heading: 'Your bank has not confirmed the payment yet',
      text: 'The payment is still open. Continue to your bank to confirm it.',
    },
  },

  redirect: {
    /** The advice about a wallet that `methods` does not list. */
    advice: (wallet: string) => `You confirm with ${wallet} and then return here.`,
    heading: (method: string) => `Continue with ${method}`,
    text: 'Confirm the payment there. You will then return here.',
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
    text: 'Transfer exactly this amount to this account, in your bank’s app, online or at a branch.',
    reference: 'Include this reference, so that we can match your transfer to this order.',
    scan: 'Or scan this code with your bank’s app',
    leave: 'You can close this page. We notify the shop when the money arrives.',
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
      `Send only ${coin}, and only on ${network}. Other coins, and coins sent on another network, are lost.`,
    exact: 'Send exactly this amount. Your wallet may add a network fee on top.',
    seen: 'We have seen your transfer',
    confirmations: (seen: number, needed: number) => `${seen} of ${needed} confirmations`,
  },

  copy: { button: 'Copy', done: 'Copied', named: (label: string) => `Copy: ${label}` },

  time: {
    left: (time: string) => `Time left: ${time}`,
    until: (moment: string) => `Pay by ${moment}`,
    over: 'The time to pay is over. If you have already paid, nothing is lost: this page will show the result.',
  },

  part: {
    heading: 'Part of the money has arrived',
    text: (came: string, missing: string) =>
      `${came} has arrived, ${missing} is still missing. Please send the rest the same way.`,
  },

  waiting: {
    title: 'Payment in progress',
    heading: 'We are waiting for confirmation',
    text: 'We are checking whether the payment went through. This page updates automatically.',
    leave:
      'It is safe to leave this page: you will not be charged twice, and we notify the shop of the result.',
    forPayment: 'Waiting for your payment. This page updates automatically.',
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
    text: 'The time to pay ran out, and you were not charged. If you did send money, please contact the shop.',
  },

  ways: {
    another: 'Pay another way',
    cancel: 'Cancel and return to shop',
    back: 'Return to shop',
    backIn: (seconds: string) => `Returning to the shop in ${seconds} s.`,
    stay: 'Stay on this page',
    close: 'Close',
  },

  /** The page that `/cashier/checkStand` returns. */
  cashier: {
    title: 'Payment',
    go: 'Continue to payment',
    refused: 'Payment not started',
    retry: 'Go back to the shop and try again.',
  },

  missing: {
    title: 'Page not found',
    heading: 'This payment page does not exist',
    text: 'The link is incomplete or has expired. Go back to the shop and start the payment again.',
  },

  /** A form was submitted while the browser is offline. */
  offline: {
    heading: 'There was no connection',
    text: 'Nothing was sent. Check your connection, then try again.',
    button: 'Try again',
  },

  busy: 'This page was loaded too often. Wait a minute, then reload it. Nothing is lost.',

  broken: {
    title: 'Something went wrong',
    heading: 'Something went wrong on our side',
    text: 'Reload this page in a moment. If you have already confirmed the payment, we notify the shop of the result.',
  },

  /** The page where the beneficiary of a CheckOut payout enters an account. */
  payout: {
    title: 'Receive your money',
    heading: 'Where should the money go?',
    button: (amount: string) => `Receive ${amount}`,
    kinds: {
      card: 'Card',
      bank_account: 'Bank account',
      pix: 'Pix',
      per_transfer: 'Bank account in Peru',
      spei: 'Bank account in Mexico',
    },
    accounts: {
      card: 'Card number',
      bank_account: 'IBAN or account number',
      pix: 'Pix key',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC (SWIFT code)',
      beneficiaryType: 'The account belongs to',
      addressLine: 'Address',
      city: 'City',
      countryCode: 'Country',
      accountType: 'Account type',
    },
    hints: {
      bankCode: 'Not needed with an IBAN',
      pix: 'CPF, CNPJ, email, phone or random key',
      per_transfer: '20 digits',
      spei: '18 digits',
    },
    way: { title: 'On its way', heading: 'Your money is on its way' },
    wayTo: (end: string) => `It is going to the account ending in ${end}. This page updates automatically.`,
    leave: 'It is safe to leave this page: there is nothing more for you to do.',
    sent: { title: 'Paid', heading: 'Your money was sent' },
    sentTo: (end: string) => `It was sent to the account ending in ${end}.`,
    failed: { title: 'Not paid', heading: 'The money could not be sent' },
    sendAgain: (merchant: string) => `${merchant} has been notified and can send it again.`,
    goTo: (merchant: string) => `Go to ${merchant}`,
    missing: {
      title: 'Page not found',
      heading: 'This payout page does not exist',
      text: 'The link is incomplete or has expired. Ask the sender for a new one.',
    },
    broken: 'Reload this page in a moment. The money is never sent twice.',
  },
  /** The pages of payment links and receipts. */
  links: {
    amount: 'Amount to pay',
    between: (least: string, most: string) => `From ${least} to ${most}`,
    atLeast: (least: string) => `At least ${least}`,
    atMost: (most: string) => `At most ${most}`,
    again: 'Start again',
    cancel: 'Cancel this payment',
    thanks: 'Thank you. You can close this page.',
    missing: {
      heading: 'This payment link does not exist',
      text: 'The link is incomplete. Ask the sender for the whole link.',
    },
    expired: {
      heading: 'This payment link has expired',
      text: (merchant: string) => `Ask ${merchant} for a new one.`,
    },
    off: {
      heading: 'This payment link is no longer active',
      text: (merchant: string) => `Ask ${merchant} for a new one.`,
    },
    paid: {
      heading: 'This payment link was already paid',
      text: 'It can be paid only once. There is nothing more for you to do.',
    },
    unavailable: {
      heading: 'This link cannot be paid right now',
      text: (merchant: string) => `Try again later, or ask ${merchant}. You were not charged.`,
    },
    receipt: {
      title: 'Receipt',
      paidOn: 'Paid on',
      method: 'Paid with',
      refunded: 'Refunded',
      rest: 'Paid after refunds',
      print: 'Print',
      missing: {
        heading: 'This receipt does not exist',
        text: 'The link is incomplete or has expired. Ask the shop for a new one.',
      },
    },
  },
}

export type Words = typeof en
export type Problem = keyof Words['problems']
export type Notice = keyof Words['notices']
