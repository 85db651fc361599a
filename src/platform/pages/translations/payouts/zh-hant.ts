import type { PayoutWords } from './en.ts'

export const zhHantPayouts: PayoutWords = {
  title: '領取款項',
  heading: '款項要匯到哪裡？',
  button: (amount) => `領取 ${amount}`,
  kinds: {
    card: '卡片',
    bank_account: '銀行帳戶',
    pix: 'Pix',
    per_transfer: '秘魯的銀行帳戶',
    spei: '墨西哥的銀行帳戶',
  },
  accounts: {
    card: '卡號',
    bank_account: 'IBAN 或帳號',
    pix: 'Pix 金鑰',
    per_transfer: 'CCI',
    spei: 'CLABE',
  },
  fields: {
    bankCode: 'BIC（SWIFT 代碼）',
    beneficiaryType: '帳戶持有人',
    addressLine: '地址',
    city: '城市',
    countryCode: '國家或地區',
    accountType: '帳戶類型',
  },
  hints: {
    bankCode: '填寫 IBAN 時不需要',
    pix: 'CPF、CNPJ、電子郵件、電話或隨機金鑰',
    per_transfer: '20 位數字',
    spei: '18 位數字',
  },
  way: { title: '匯款中', heading: '您的款項正在匯出' },
  wayTo: (end) => `款項將匯入末碼為 ${end} 的帳戶。本頁會自動更新。`,
  leave: '您可以放心離開，不需要再做任何事。',
  sent: { title: '已付款', heading: '您的款項已匯出' },
  sentTo: (end) => `款項已匯入末碼為 ${end} 的帳戶。`,
  failed: { title: '未付款', heading: '款項無法匯出' },
  sendAgain: (merchant) => `${merchant} 已收到通知，可以重新匯款。`,
  goTo: (merchant) => `前往 ${merchant}`,
  missing: {
    title: '找不到網頁',
    heading: '這個收款頁面不存在',
    text: '連結不完整或已失效。請向寄件人索取新的連結。',
  },
  broken: '請稍後重新整理本頁。款項絕不會匯到兩個帳戶，也不會重複支付。',
}
