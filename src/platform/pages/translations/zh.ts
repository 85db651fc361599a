import type { Words } from './en.ts'

export const zh: Words = {
  sandbox: '沙盒环境：不会产生真实资金流动',

  order: {
    items: '您的订单',
    total: '合计',
    number: '订单号',
    payment: '支付单号',
    payout: '付款单号',
    beneficiary: '收款人',
    paysYou: (merchant) => `${merchant} 向您付款`,
  },

  choose: {
    title: '请选择支付方式',
    oneWay: (method) => `使用${method}支付`,
    pay: (amount) => `支付 ${amount}`,
    card: '银行卡信息',
    cardBrands: (names) => `支持的银行卡：${names}`,
    codeHint: '3 位数字，Amex 为 4 位',
    billing: '账单信息',
    details: '您的信息',
    pick: '请选择',
    again: '您可以重试，或换一种方式支付。',
    fix: '请检查标出的内容。',
    retype: '请重新输入卡号和安全码。',
    paying: '请稍候…',
  },

  methods: {
    card: { name: '银行卡', advice: '' },
    alipay: { name: '支付宝', advice: '前往支付宝确认，然后返回本页。' },
    wechat: { name: '微信支付', advice: '使用微信付款：扫描二维码，或直接在手机上付款。' },
    unionpay: { name: '银联', advice: '前往银联确认，然后返回本页。' },
    cash_app: { name: 'Cash App Pay', advice: '前往 Cash App 确认，然后返回本页。' },
    gcash: { name: 'GCash', advice: '将显示 QR Ph 二维码，请用 GCash 扫描。' },
    pix: { name: 'Pix', advice: '将显示二维码，以及可粘贴到银行应用中的代码。' },
    spei: { name: 'SPEI 转账', advice: '将提供 CLABE 账号，请从您的银行转账。' },
    per_transfer: { name: '秘鲁银行转账', advice: '将提供 CCI 账号，请从您的银行转账。' },
    sepa: { name: 'SEPA 转账', advice: '将提供 IBAN 账号，请从您的银行转账。' },
    vn_bank: { name: '越南银行', advice: '通过 VietQR 支付，或转账到本订单的专用账户。' },
    crypto: { name: '加密货币', advice: '将提供收款地址和需要发送的准确数量。' },
  },

  fields: {
    cardNo: '卡号',
    cardExpiry: '有效期（月/年）',
    cardSecurityCode: '安全码',
    billingFirstName: '名',
    billingLastName: '姓',
    billingAddress1: '地址',
    billingCity: '城市',
    billingState: '省或州',
    billingCountry: '国家或地区',
    billingZipCode: '邮政编码',
    billingPhone: '电话',
    billingEmail: '电子邮箱',
    email: '电子邮箱',
    name: '姓名',
    socialSecurityNumber: 'CPF 或 CNPJ',
    customerIdentificationType: '证件类型',
    customerIdentification: '证件号码',
    paymentMethodStr: '付款方式',
    vaBankId: '银行',
    coin: '币种',
    network: '网络',
  },

  choices: {
    'customerIdentificationType.00': '身份证（DNI）',
    'customerIdentificationType.01': '外国人证（CE）',
    'customerIdentificationType.02': '税号（RUC）',
    'customerIdentificationType.03': '护照',
    'paymentMethodStr.qrcode': '二维码（VietQR）',
    'paymentMethodStr.va': '转账到专用账户',
    'network.ERC20': '以太坊（ERC-20）',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': '个人',
    'beneficiaryType.business': '企业',
    'accountType.00': '活期账户',
    'accountType.01': '储蓄账户',
  },

  problems: {
    missing: '请填写此项',
    tooLong: '内容过长，或含有不支持的字符',
    notListed: '请从列表中选择',
    invalid: '请检查：内容似乎有误',
    cardNumber: '请检查卡号：有数字错误或缺失',
    cardBrand: '本商店不支持此类银行卡',
    expiry: '请输入月份和年份，例如 08/29',
    expired: '此卡已过期',
    securityCode: '请输入卡背面的三位数字',
    securityCodeInFront: '请输入卡正面的四位数字',
    email: '请输入电子邮箱，例如 name@example.com',
    taxNumber: '请检查 CPF 或 CNPJ：有数字错误或缺失',
    document: '号码与证件类型不符',
    network: '此网络不支持该币种',
    bankCodeMissing: '使用账号时需要填写银行的 BIC',
    bankCode: '这不是有效的 BIC',
    account: '请检查账号：有数字错误或缺失',
  },

  notices: {
    stale: '此支付已在其他标签页或窗口中继续，以下为当前状态。',
    tooManyAttempts: '尝试次数过多。请等待几分钟，或换一种方式支付。',
    unavailable: '此支付方式暂不可用，请选择其他方式。',
    limit: '此方式不支持该金额，请选择其他方式。',
    unreachable: '暂时无法连接银行，请稍后重试。',
  },

  reasons: {
    declined: '您的银行或钱包拒绝了此次支付。您未被扣款。',
    insufficientFunds: '余额不足。您未被扣款。',
    expiredCard: '银行卡已过期。您未被扣款。',
    securityCode: '安全码不正确。您未被扣款。',
    notConfirmed: '您的银行未能确认是您本人。您未被扣款。',
    cancelled: '支付已取消。您未被扣款。',
    expired: '支付时间已过。您未被扣款。',
    unavailable: '无法发起支付。您未被扣款。',
  },

  challenge: {
    title: '确认支付',
    heading: '您的银行需要确认是您本人',
    text: '请在银行页面确认支付，完成后将返回本页。',
    button: '前往银行',
    frame: '银行页面',
    back: '返回支付',
    empty: '银行页面没有显示？',
    instead: '在此窗口中打开',
    open: {
      heading: '银行尚未确认这笔支付',
      text: '支付仍在等待中。请前往银行完成确认。',
    },
  },

  redirect: {
    advice: (wallet) => `使用 ${wallet} 确认，然后返回本页。`,
    heading: (method) => `使用${method}继续`,
    text: '请在那里确认支付，完成后将返回本页。',
    button: (method) => `前往${method}`,
  },

  qr: {
    title: (method) => `使用${method}支付`,
    heading: '扫码支付',
    picture: '本次支付的二维码',
    scanWith: {
      pix: '打开银行应用，选择 Pix，扫描或粘贴代码。',
      gcash: '打开 GCash，选择 QR，扫描二维码。',
      wechat: '打开微信，选择“扫一扫”，扫描二维码。',
      vn_bank: '打开银行应用，扫描 VietQR 二维码。',
      other: '打开银行或钱包应用，扫描二维码。',
    },
    openApp: '打开应用',
    copyCode: '复制代码',
  },

  transfer: {
    title: '转账付款',
    heading: '从您的银行转账',
    text: '请通过应用、网上银行或柜台，将准确金额转入以下账户。',
    reference: '转账时请填写此附言，以便我们确认是您的付款。',
    scan: '或用银行应用扫描此码',
    leave: '您可以关闭本页。款项到账后，商店会自动获知。',
  },

  labels: {
    amount: '金额',
    payee: '收款人',
    bank: '银行',
    reference: '附言',
    account: '账户',
    va: '账号',
    address: '地址',
    network: '网络',
    coinAmount: '发送数量',
  },

  crypto: {
    title: (coin) => `使用 ${coin} 支付`,
    heading: (coin) => `发送 ${coin}`,
    warning: (coin, network) =>
      `只能发送 ${coin}，且只能通过 ${network} 网络。通过其他网络或以其他币种发送的资金将会丢失。`,
    exact: '请发送准确数量。您的钱包可能另收网络费。',
    seen: '已看到您的转账',
    confirmations: (seen, needed) => `${seen}/${needed} 次确认`,
  },

  copy: { button: '复制', done: '已复制', named: (label) => `复制：${label}` },

  time: {
    left: (time) => `剩余时间：${time}`,
    until: (moment) => `请在 ${moment} 前支付`,
    over: '支付时间已过。如果您已付款，款项不会丢失：结果将显示在本页。',
  },

  part: {
    heading: '已收到部分款项',
    text: (came, missing) => `已收到 ${came}，还差 ${missing}。请以同样方式补足。`,
  },

  waiting: {
    title: '支付处理中',
    heading: '正在等待结果',
    text: '我们正在查询支付是否成功，本页会自动更新。',
    leave: '您可以放心离开：不会重复扣款，商店会获知结果。',
    forPayment: '正在等待您付款，本页会自动更新。',
  },

  done: { title: '支付成功', heading: '您已支付成功', text: '谢谢。现在可以返回商店。' },

  failed: { title: '支付未成功', heading: '支付未成功' },

  cancelled: {
    title: '支付已取消',
    heading: '此次支付已取消',
    text: '您未被扣款。',
  },

  expired: {
    title: '支付已过期',
    heading: '此次支付已过期',
    text: '支付时间已过，您未被扣款。如果您仍然汇出了款项，请联系商店。',
  },

  ways: {
    another: '换一种方式支付',
    cancel: '取消并返回商店',
    back: '返回商店',
    backIn: (seconds) => `${seconds} 秒后返回商店。`,
    stay: '留在本页',
    close: '关闭',
  },

  cashier: {
    title: '支付',
    go: '前往支付',
    refused: '支付未能发起',
    retry: '请返回商店重试。',
  },

  missing: {
    title: '找不到页面',
    heading: '此支付页面不存在',
    text: '链接不完整或已失效。请返回商店重新发起支付。',
  },

  offline: {
    heading: '没有网络连接',
    text: '尚未发送任何内容。请检查网络连接后重试。',
    button: '重试',
  },

  busy: '此页面加载过于频繁。请一分钟后重新加载：不会丢失任何内容。',

  broken: {
    title: '出现问题',
    heading: '我们这边出现了问题',
    text: '请稍后重新加载本页。如果您已确认支付，商店会获知结果。',
  },

  payout: {
    title: '接收款项',
    heading: '款项要汇到哪里？',
    button: (amount) => `接收 ${amount}`,
    kinds: {
      card: '银行卡',
      bank_account: '银行账户',
      pix: 'Pix',
      per_transfer: '秘鲁银行账户',
      spei: '墨西哥银行账户',
    },
    accounts: {
      card: '卡号',
      bank_account: 'IBAN 或账号',
      pix: 'Pix 密钥',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC（SWIFT 代码）',
      beneficiaryType: '账户所有者',
      addressLine: '地址',
      city: '城市',
      countryCode: '国家或地区',
      accountType: '账户类型',
    },
    hints: {
      bankCode: '填写 IBAN 时无需填写',
      pix: 'CPF、CNPJ、电子邮箱、电话或随机密钥',
      per_transfer: '20 位数字',
      spei: '18 位数字',
    },
    way: { title: '汇款中', heading: '您的款项正在汇出' },
    wayTo: (end) => `将汇入尾号为 ${end} 的账户。本页会自动更新。`,
    leave: '您可以放心离开：无需再做任何操作。',
    sent: { title: '已付款', heading: '您的款项已汇出' },
    sentTo: (end) => `已汇入尾号为 ${end} 的账户。`,
    failed: { title: '未付款', heading: '款项未能汇出' },
    sendAgain: (merchant) => `${merchant} 已获知，可以重新汇款。`,
    goTo: (merchant) => `前往 ${merchant}`,
    missing: {
      title: '找不到页面',
      heading: '此收款页面不存在',
      text: '链接不完整或已失效。请向发送者索取新的链接。',
    },
    broken: '请稍后重新加载本页。款项绝不会付到两个账户，也不会重复支付。',
  },
  links: {
    amount: '付款金额',
    between: (least, most) => `${least} 至 ${most}`,
    atLeast: (least) => `至少 ${least}`,
    atMost: (most) => `最多 ${most}`,
    again: '重新开始',
    cancel: '取消此次付款',
    thanks: '谢谢。您可以关闭此页面。',
    missing: { heading: '此付款链接不存在', text: '链接不完整。请向发送人索取完整的链接。' },
    expired: { heading: '此付款链接已过期', text: (merchant) => `请向 ${merchant} 索取新链接。` },
    off: { heading: '此付款链接已停用', text: (merchant) => `请向 ${merchant} 索取新链接。` },
    paid: { heading: '此付款链接已付款', text: '它只能付款一次，您无需再做任何操作。' },
    unavailable: {
      heading: '此链接暂时无法付款',
      text: (merchant) => `请稍后再试，或联系 ${merchant}。您未被扣款。`,
    },
    receipt: {
      title: '收据',
      paidOn: '付款时间',
      method: '付款方式',
      refunded: '已退款',
      rest: '退款后实付',
      print: '打印',
      missing: { heading: '此收据不存在', text: '链接不完整或已过期。请向商店索取新链接。' },
    },
  },
}
