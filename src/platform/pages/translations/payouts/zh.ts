import type { PayoutWords } from './en.ts'

export const zhPayouts: PayoutWords = {
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
}
