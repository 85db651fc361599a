// The words of the panel of a dispute: the evidence that the payer's bank expects, and what happens next.
const en = {
  overdue: 'Overdue',
  contest: 'Contest',
  accept: 'Accept',
  acceptTitle: 'Accept the dispute?',
  acceptHint: (amount: string, fee: string) =>
    `The operator reads this and ends the dispute as lost. ${amount} and the fee of ${fee} then stay with the bank.`,
  acceptNote: (reason: string) => `We accept this dispute: ${reason}`,
  next: 'What happens next',
  taken: (amount: string, fee: string, at: string) =>
    `${amount} and the fee of ${fee} were taken on ${at}. They are held until the dispute ends.`,
  contestUntil: (day: string) =>
    `To contest the dispute, add evidence by ${day}. The operator sends it to the bank, which then decides.`,
  contestLate: (day: string) =>
    `The deadline was ${day}. Evidence can still be added, but the bank may no longer take it.`,
  letLose:
    'A merchant accepts the dispute with Accept: the operator then ends it as lost. A dispute without an answer is lost, too.',
  ifWon: (amount: string, fee: string) =>
    `If the dispute is won, ${amount} comes back to the balance. The fee of ${fee} does not.`,
  ifLost: (amount: string, fee: string) =>
    `If the dispute is accepted or lost, ${amount} and the fee of ${fee} stay with the bank. Nothing more is taken.`,
  noRefund:
    'A refund does not end the inquiry. If the bank then opens a dispute, the payer gets the money twice.',
  inquiry: 'No money has moved. The bank only asks about the payment.',
  inquiryUntil: (day: string) => `Answer with evidence by ${day}.`,
  inquiryLate: (day: string) => `The deadline was ${day}. The bank may open a dispute at any time.`,
  inquiryIgnored: (amount: string) =>
    `Without a good answer the bank may open a dispute. Then ${amount} and the fee are taken at once.`,
  closed: (day: string) => `The inquiry ended on ${day}. No money was taken.`,
  won: (amount: string, fee: string, day: string) =>
    `The dispute was won on ${day}: ${amount} came back to the balance. The fee of ${fee} was kept. The bank may dispute the payment once more.`,
  lost: (amount: string, fee: string, day: string) =>
    `The dispute was lost on ${day}: ${amount} and the fee of ${fee} are gone for good. There is no further dispute about this order.`,
  payer: 'Payer and payment',
  threeDSecure: '3-D Secure',
  challenges: {
    passed: 'The payer confirmed the payment at the issuer',
    asked: 'The payer was asked, and the payment did not succeed',
    unknown: 'No challenge is stored',
  },
  products: 'Products',
  product: 'Product',
  quantity: 'Quantity',
  price: 'Price',
  delivery: 'Delivery and billing',
  earlier: 'Earlier orders of this payer',
  noEarlier: 'No earlier order has this e-mail address.',
  asked: 'What the bank expects as evidence',
  asks: {
    fraud: [
      'The result of 3-D Secure, and the checks of address and security code',
      'Earlier orders of the same payer that were not disputed',
      'The address of the device, and the account in your shop that placed the order',
      'The proof of delivery to the address of the card holder',
    ],
    'not-received': [
      'The proof of delivery with date, address and signature, or the tracking number',
      'For services and downloads: when the payer used them first, and from which address',
      'The delivery date that was agreed',
      'Messages in which the payer confirms the delivery',
    ],
    'not-as-described': [
      'The description and the pictures as the payer saw them',
      'What was delivered, and how it matches the description',
      'Your terms for returns, and where the payer agreed to them',
      'Messages about the complaint, and what you offered',
    ],
    duplicate: [
      'The receipts of both payments, and why both are right',
      'The order numbers and what was delivered for each',
      'The refund, if one of the payments has been refunded',
    ],
    credit: [
      'The refund with its date and number, if it was made',
      'Your terms for refunds, and where the payer agreed to them',
      'Why no refund is due: for example that nothing was sent back',
    ],
    recurring: [
      'The agreement to the repeated payment, with its date',
      'The terms for cancelling, and the reminder before the payment',
      'That the payer did not cancel, or cancelled after the payment',
      'The use of the service after the payment',
    ],
    processing: [
      'The receipt with amount, currency and date as the payer agreed to them',
      'The authorisation, as the order page shows it',
      'The invoice, if the disputed amount differs from the paid one',
    ],
    general: [
      'The order and the receipt',
      'The proof of delivery, or of the use of a service',
      'Your terms, and where the payer agreed to them',
      'All messages with the payer',
    ],
  },
}

const zh: typeof en = {
  overdue: '已逾期',
  contest: '提出抗辩',
  accept: '接受争议',
  acceptTitle: '接受该争议？',
  acceptHint: (amount, fee) => `运营方看到后会将争议以败诉结束，届时 ${amount} 和手续费 ${fee} 不再退回。`,
  acceptNote: (reason) => `我方接受该争议：${reason}`,
  next: '接下来会发生什么',
  taken: (amount, fee, at) => `已于 ${at} 扣除 ${amount} 和手续费 ${fee}，争议结束前一直保留。`,
  contestUntil: (day) => `如要抗辩，请在 ${day} 前提交证据。运营方会转交银行，由银行裁定。`,
  contestLate: (day) => `截止日期为 ${day}，已过期。仍可提交证据，但银行可能不再受理。`,
  letLose: '商户如要接受，请选择“接受争议”，运营方随后将其以败诉结束。不答复也会败诉。',
  ifWon: (amount, fee) => `如果胜诉，${amount} 将退回余额，手续费 ${fee} 不退。`,
  ifLost: (amount, fee) => `如果接受或败诉，${amount} 和手续费 ${fee} 不再退回，也不会再扣款。`,
  noRefund: '退款不会结束查询。如果银行随后发起争议，付款人会收到两次款项。',
  inquiry: '资金没有变动，银行只是询问这笔付款。',
  inquiryUntil: (day) => `请在 ${day} 前提交证据答复。`,
  inquiryLate: (day) => `截止日期为 ${day}，已过期。银行随时可能发起争议。`,
  inquiryIgnored: (amount) => `如果答复不充分，银行可能发起争议，届时会立即扣除 ${amount} 和手续费。`,
  closed: (day) => `查询已于 ${day} 结束，没有扣款。`,
  won: (amount, fee, day) =>
    `已于 ${day} 胜诉：${amount} 已退回余额，手续费 ${fee} 不退。银行可能再次对该付款提出争议。`,
  lost: (amount, fee, day) => `已于 ${day} 败诉：${amount} 和手续费 ${fee} 无法收回。该订单不会再有争议。`,
  payer: '付款人和付款',
  threeDSecure: '3-D Secure',
  challenges: {
    passed: '付款人已在发卡行确认付款',
    asked: '已要求付款人验证，但付款未成功',
    unknown: '没有验证记录',
  },
  products: '商品',
  product: '商品',
  quantity: '数量',
  price: '单价',
  delivery: '配送和账单信息',
  earlier: '该付款人之前的订单',
  noEarlier: '没有使用该邮箱的更早订单。',
  asked: '银行需要的证据',
  asks: {
    fraud: [
      '3-D Secure 的结果，以及地址和安全码的核对结果',
      '同一付款人之前没有争议的订单',
      '设备的 IP 地址，以及下单的商店账户',
      '送达持卡人地址的证明',
    ],
    'not-received': [
      '带日期、地址和签名的送达证明，或运单号',
      '服务和下载：付款人首次使用的时间和地址',
      '约定的送达日期',
      '付款人确认收货的消息',
    ],
    'not-as-described': [
      '付款人看到的描述和图片',
      '实际交付的内容，以及如何与描述相符',
      '退货条款，以及付款人同意条款的位置',
      '关于投诉的消息，以及您提出的方案',
    ],
    duplicate: [
      '两笔付款的收据，以及两笔都正确的理由',
      '各自的订单号和交付内容',
      '其中一笔若已退款，请提供退款记录',
    ],
    credit: [
      '如已退款，请提供退款日期和编号',
      '退款条款，以及付款人同意条款的位置',
      '无需退款的理由，例如没有收到退货',
    ],
    recurring: [
      '对定期付款的同意及其日期',
      '取消条款，以及付款前的提醒',
      '付款人没有取消，或在付款后才取消',
      '付款后使用服务的记录',
    ],
    processing: [
      '付款人同意的金额、币种和日期的收据',
      '订单页面显示的授权记录',
      '若争议金额与付款金额不同，请提供发票',
    ],
    general: [
      '订单和收据',
      '送达或使用服务的证明',
      '您的条款，以及付款人同意条款的位置',
      '与付款人的全部消息',
    ],
  },
}

export type DisputesWords = typeof en
export const disputesWords = { en, zh }
