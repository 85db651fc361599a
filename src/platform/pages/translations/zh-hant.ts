// Traditional Chinese as written in Taiwan, which has its own words. The text is not converted from the Simplified
// text.
import type { Words } from './en.ts'

export const zhHant: Words = {
  sandbox: '測試環境：不會有真實款項往來',

  order: {
    items: '您的訂單',
    total: '總計',
    number: '訂單編號',
    payment: '付款編號',
    payout: '撥款編號',
    beneficiary: '受款人',
    paysYou: (merchant) => `${merchant} 要付款給您`,
  },

  choose: {
    title: '請選擇付款方式',
    oneWay: (method) => `使用 ${method} 付款`,
    pay: (amount) => `支付 ${amount}`,
    card: '信用卡資料',
    cardBrands: (names) => `接受的卡片：${names}`,
    codeHint: '3 碼，Amex 為 4 碼',
    billing: '帳單資料',
    details: '您的資料',
    pick: '請選擇',
    again: '您可以再試一次，或改用其他付款方式。',
    fix: '請檢查標示的欄位。',
    retype: '請重新輸入卡號與安全碼。',
    paying: '請稍候…',
  },

  methods: {
    card: { name: '信用卡', advice: '' },
    alipay: { name: '支付寶', advice: '前往支付寶確認付款，完成後會回到本頁。' },
    wechat: { name: '微信支付', advice: '使用微信付款：掃描 QR Code，或直接在手機上付款。' },
    unionpay: { name: '銀聯', advice: '前往銀聯確認付款，完成後會回到本頁。' },
    cash_app: { name: 'Cash App Pay', advice: '前往 Cash App 確認付款，完成後會回到本頁。' },
    gcash: { name: 'GCash', advice: '畫面會顯示 QR Ph 條碼，請用 GCash 掃描。' },
    pix: { name: 'Pix', advice: '畫面會顯示 QR Code，以及可貼到銀行 App 的代碼。' },
    spei: { name: 'SPEI 轉帳', advice: '您會取得 CLABE 帳號，請由您的銀行轉帳。' },
    per_transfer: { name: '秘魯銀行轉帳', advice: '您會取得 CCI 帳號，請由您的銀行轉帳。' },
    sepa: { name: 'SEPA 轉帳', advice: '您會取得 IBAN 帳號，請由您的銀行轉帳。' },
    vn_bank: { name: '越南銀行', advice: '以 VietQR 付款，或轉帳至此訂單的專屬帳號。' },
    crypto: { name: '加密貨幣', advice: '您會取得收款地址，以及應轉出的確切數量。' },
  },

  fields: {
    cardNo: '卡號',
    cardExpiry: '有效期限（月/年）',
    cardSecurityCode: '安全碼',
    billingFirstName: '名字',
    billingLastName: '姓氏',
    billingAddress1: '地址',
    billingCity: '城市',
    billingState: '縣市或州',
    billingCountry: '國家或地區',
    billingZipCode: '郵遞區號',
    billingPhone: '電話',
    billingEmail: '電子郵件',
    email: '電子郵件',
    name: '姓名',
    socialSecurityNumber: 'CPF 或 CNPJ',
    customerIdentificationType: '證件類型',
    customerIdentification: '證件號碼',
    paymentMethodStr: '付款方式',
    vaBankId: '銀行',
    coin: '幣別',
    network: '網路',
  },

  choices: {
    'customerIdentificationType.00': '身分證（DNI）',
    'customerIdentificationType.01': '外國人居留證（CE）',
    'customerIdentificationType.02': '稅籍編號（RUC）',
    'customerIdentificationType.03': '護照',
    'paymentMethodStr.qrcode': 'QR Code（VietQR）',
    'paymentMethodStr.va': '轉帳至專屬帳號',
    'network.ERC20': '以太坊（ERC-20）',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': '個人',
    'beneficiaryType.business': '公司行號',
    'accountType.00': '支票存款帳戶',
    'accountType.01': '儲蓄存款帳戶',
  },

  problems: {
    missing: '請填寫此欄位',
    tooLong: '內容過長，或含有無法使用的字元',
    notListed: '請從清單中選擇',
    invalid: '內容似乎有誤，請再確認',
    cardNumber: '請檢查卡號：有數字錯誤或遺漏',
    cardBrand: '此商店不接受這種信用卡',
    expiry: '請輸入月份與年份，例如 08/29',
    expired: '此卡片已過期',
    securityCode: '請輸入卡片背面的三位數字',
    securityCodeInFront: '請輸入卡片正面的四位數字',
    email: '請輸入電子郵件，例如 name@example.com',
    taxNumber: '請檢查 CPF 或 CNPJ：有數字錯誤或遺漏',
    document: '號碼與證件類型不符',
    network: '此網路不支援這個幣別',
    bankCodeMissing: '使用帳號時，必須填寫銀行的 BIC',
    bankCode: '這不是有效的 BIC',
    account: '請檢查帳號：有數字錯誤或遺漏',
  },

  notices: {
    stale: '這筆付款已在其他分頁或視窗繼續進行，以下是目前的狀態。',
    tooManyAttempts: '嘗試次數過多。請稍候幾分鐘，或改用其他付款方式。',
    unavailable: '此付款方式目前無法使用，請改選其他方式。',
    limit: '此付款方式不適用於這個金額，請改選其他方式。',
    unreachable: '目前無法連線到銀行，請稍後再試。',
  },

  reasons: {
    declined: '您的銀行或電子錢包拒絕了這筆付款。您並未被扣款。',
    insufficientFunds: '卡片或帳戶的餘額不足。您並未被扣款。',
    expiredCard: '卡片已過期。您並未被扣款。',
    securityCode: '安全碼不正確。您並未被扣款。',
    notConfirmed: '您的銀行無法確認是您本人。您並未被扣款。',
    cancelled: '這筆付款已取消。您並未被扣款。',
    expired: '付款期限已過。您並未被扣款。',
    unavailable: '無法開始付款。您並未被扣款。',
  },

  challenge: {
    title: '確認付款',
    heading: '您的銀行需要確認是您本人',
    text: '請在銀行的頁面確認付款，完成後會回到本頁。',
    button: '前往銀行',
    frame: '銀行的頁面',
    back: '返回付款',
    empty: '銀行的頁面沒有顯示？',
    instead: '在這個視窗開啟',
    open: {
      heading: '銀行尚未確認這筆付款',
      text: '付款仍在等待中。請前往銀行完成確認。',
    },
  },

  redirect: {
    advice: (wallet) => `使用 ${wallet} 確認付款，完成後會回到本頁。`,
    heading: (method) => `使用 ${method} 繼續`,
    text: '請在該處確認付款，完成後會回到本頁。',
    button: (method) => `前往 ${method}`,
  },

  qr: {
    title: (method) => `使用 ${method} 付款`,
    heading: '掃描付款',
    picture: '這筆付款的 QR Code',
    scanWith: {
      pix: '開啟銀行 App，選擇 Pix，再掃描或貼上代碼。',
      gcash: '開啟 GCash，選擇 QR，再掃描條碼。',
      wechat: '開啟微信，選擇「掃一掃」，再掃描 QR Code。',
      vn_bank: '開啟銀行 App，掃描 VietQR。',
      other: '開啟銀行或電子錢包 App，掃描 QR Code。',
    },
    openApp: '開啟 App',
    copyCode: '複製代碼',
  },

  transfer: {
    title: '轉帳付款',
    heading: '由您的銀行轉帳',
    text: '請透過 App、網路銀行或臨櫃，將確切金額轉入下列帳戶。',
    reference: '轉帳時請填寫此附言，我們才能確認這筆款項是您的。',
    scan: '或用銀行 App 掃描',
    leave: '您可以關閉本頁，款項入帳後商店會自動收到通知。',
  },

  labels: {
    amount: '金額',
    payee: '受款人',
    bank: '銀行',
    reference: '附言',
    account: '帳戶',
    va: '帳號',
    address: '地址',
    network: '網路',
    coinAmount: '轉出數量',
  },

  crypto: {
    title: (coin) => `使用 ${coin} 付款`,
    heading: (coin) => `轉出 ${coin}`,
    warning: (coin, network) =>
      `只能轉出 ${coin}，而且只能透過 ${network}。透過其他網路或以其他幣別轉出的資產將無法找回。`,
    exact: '請轉出確切的數量。您的錢包可能會另外收取網路手續費。',
    seen: '已偵測到您的轉帳',
    confirmations: (seen, needed) => `已確認 ${seen} 次，共需 ${needed} 次`,
  },

  copy: { button: '複製', done: '已複製', named: (label) => `複製：${label}` },

  time: {
    left: (time) => `剩餘時間：${time}`,
    until: (moment) => `請於 ${moment} 前付款`,
    over: '付款期限已過。若您已經付款，款項不會遺失，結果會顯示在本頁。',
  },

  part: {
    heading: '已收到部分款項',
    text: (came, missing) => `已收到 ${came}，尚差 ${missing}。請以相同方式補足差額。`,
  },

  waiting: {
    title: '付款處理中',
    heading: '正在等候結果',
    text: '我們正在查詢付款是否成功，本頁會自動更新。',
    leave: '您可以放心離開：不會重複扣款，商店也會收到結果。',
    forPayment: '正在等候您付款，本頁會自動更新。',
  },

  done: { title: '付款成功', heading: '您已付款成功', text: '謝謝您。現在可以返回商店。' },

  failed: { title: '付款失敗', heading: '付款沒有成功' },

  cancelled: {
    title: '付款已取消',
    heading: '這筆付款已取消',
    text: '您並未被扣款。',
  },

  expired: {
    title: '付款已逾期',
    heading: '這筆付款已逾期',
    text: '付款期限已過，您並未被扣款。若您仍匯出了款項，請與商店聯絡。',
  },

  ways: {
    another: '改用其他付款方式',
    cancel: '取消並返回商店',
    back: '返回商店',
    backIn: (seconds) => `${seconds} 秒後返回商店。`,
    stay: '留在本頁',
    close: '關閉',
  },

  cashier: {
    title: '付款',
    go: '前往付款',
    refused: '無法開始付款',
    retry: '請返回商店再試一次。',
  },

  missing: {
    title: '找不到網頁',
    heading: '這個付款頁面不存在',
    text: '連結不完整或已失效。請返回商店重新付款。',
  },

  offline: {
    heading: '沒有網路連線',
    text: '尚未送出任何內容。請檢查網路連線後再試一次。',
    button: '再試一次',
  },

  busy: '此頁面載入過於頻繁，請於一分鐘後重新載入，內容不會遺失。',

  broken: {
    title: '發生問題',
    heading: '我們的系統發生問題',
    text: '請稍後重新整理本頁。若您已確認付款，商店會收到結果。',
  },

  payout: {
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
  },
  links: {
    amount: '付款金額',
    between: (least, most) => `${least} 至 ${most}`,
    atLeast: (least) => `至少 ${least}`,
    atMost: (most) => `最多 ${most}`,
    again: '重新開始',
    cancel: '取消此次付款',
    thanks: '謝謝。您可以關閉此頁面。',
    missing: { heading: '此付款連結不存在', text: '連結不完整。請向傳送人索取完整的連結。' },
    expired: { heading: '此付款連結已過期', text: (merchant) => `請向 ${merchant} 索取新連結。` },
    off: { heading: '此付款連結已停用', text: (merchant) => `請向 ${merchant} 索取新連結。` },
    paid: { heading: '此付款連結已付款', text: '它只能付款一次，您無需再做任何操作。' },
    unavailable: {
      heading: '此連結暫時無法付款',
      text: (merchant) => `請稍後再試，或聯絡 ${merchant}。您未被扣款。`,
    },
    receipt: {
      title: '收據',
      paidOn: '付款時間',
      method: '付款方式',
      refunded: '已退款',
      rest: '退款後實付',
      print: '列印',
      missing: { heading: '此收據不存在', text: '連結不完整或已過期。請向商店索取新連結。' },
    },
  },
}
