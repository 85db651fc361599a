import type { Words } from './en.ts'

export const vi: Words = {
  sandbox: 'Môi trường thử nghiệm: không có tiền thật',

  order: {
    items: 'Đơn hàng của bạn',
    total: 'Tổng cộng',
    number: 'Đơn hàng',
    payment: 'Thanh toán',
    payout: 'Chi trả',
    beneficiary: 'Người nhận',
    paysYou: (merchant) => `${merchant} trả tiền cho bạn`,
  },

  choose: {
    title: 'Bạn muốn thanh toán bằng cách nào?',
    oneWay: (method) => `Thanh toán bằng ${method}`,
    pay: (amount) => `Thanh toán ${amount}`,
    card: 'Thông tin thẻ',
    cardBrands: (names) => `Thẻ được chấp nhận: ${names}`,
    codeHint: '3 chữ số, Amex 4 chữ số',
    billing: 'Thông tin thanh toán',
    details: 'Thông tin của bạn',
    pick: 'Chọn',
    again: 'Bạn có thể thử lại hoặc chọn cách khác.',
    fix: 'Vui lòng kiểm tra các ô được đánh dấu.',
    retype: 'Vui lòng nhập lại số thẻ và mã bảo mật.',
    paying: 'Vui lòng chờ…',
  },

  methods: {
    card: { name: 'Thẻ', advice: '' },
    alipay: { name: 'Alipay', advice: 'Bạn xác nhận trên Alipay rồi quay lại đây.' },
    wechat: {
      name: 'WeChat Pay',
      advice: 'Bạn trả tiền trong ứng dụng WeChat: quét mã, hoặc ngay trên điện thoại của bạn.',
    },
    unionpay: { name: 'UnionPay', advice: 'Bạn xác nhận trên UnionPay rồi quay lại đây.' },
    cash_app: { name: 'Cash App Pay', advice: 'Bạn xác nhận trên Cash App rồi quay lại đây.' },
    gcash: { name: 'GCash', advice: 'Bạn nhận một mã QR Ph để quét bằng GCash.' },
    pix: { name: 'Pix', advice: 'Bạn nhận một mã QR và một mã để dán vào ứng dụng ngân hàng.' },
    spei: { name: 'Chuyển khoản SPEI', advice: 'Bạn nhận một số CLABE để chuyển khoản.' },
    per_transfer: { name: 'Chuyển khoản tại Peru', advice: 'Bạn nhận một số CCI để chuyển khoản.' },
    sepa: { name: 'Chuyển khoản SEPA', advice: 'Bạn nhận một số IBAN để chuyển khoản.' },
    vn_bank: {
      name: 'Ngân hàng Việt Nam',
      advice: 'Bạn thanh toán bằng VietQR hoặc chuyển vào tài khoản riêng của đơn hàng.',
    },
    crypto: { name: 'Tiền mã hóa', advice: 'Bạn nhận một địa chỉ và số lượng chính xác cần gửi.' },
  },

  fields: {
    cardNo: 'Số thẻ',
    cardExpiry: 'Hết hạn (MM/YY)',
    cardSecurityCode: 'Mã bảo mật',
    billingFirstName: 'Tên',
    billingLastName: 'Họ',
    billingAddress1: 'Địa chỉ',
    billingCity: 'Thành phố',
    billingState: 'Tỉnh hoặc bang',
    billingCountry: 'Quốc gia',
    billingZipCode: 'Mã bưu chính',
    billingPhone: 'Điện thoại',
    billingEmail: 'Email',
    email: 'Email',
    name: 'Họ và tên',
    socialSecurityNumber: 'CPF hoặc CNPJ',
    customerIdentificationType: 'Giấy tờ',
    customerIdentification: 'Số giấy tờ',
    paymentMethodStr: 'Cách thanh toán',
    vaBankId: 'Ngân hàng',
    coin: 'Đồng tiền',
    network: 'Mạng',
  },

  choices: {
    'customerIdentificationType.00': 'Căn cước (DNI)',
    'customerIdentificationType.01': 'Thẻ người nước ngoài (CE)',
    'customerIdentificationType.02': 'Mã số thuế (RUC)',
    'customerIdentificationType.03': 'Hộ chiếu',
    'paymentMethodStr.qrcode': 'Mã QR (VietQR)',
    'paymentMethodStr.va': 'Chuyển vào tài khoản riêng của đơn hàng',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'Cá nhân',
    'beneficiaryType.business': 'Doanh nghiệp',
    'accountType.00': 'Tài khoản thanh toán',
    'accountType.01': 'Tài khoản tiết kiệm',
  },

  problems: {
    missing: 'Vui lòng điền ô này',
    tooLong: 'Quá dài hoặc có ký tự không dùng được',
    notListed: 'Vui lòng chọn trong danh sách',
    invalid: 'Vui lòng kiểm tra: có vẻ chưa đúng',
    cardNumber: 'Kiểm tra số thẻ: có chữ số sai hoặc thiếu',
    cardBrand: 'Cửa hàng này không nhận loại thẻ này',
    expiry: 'Nhập tháng và năm, ví dụ 08/29',
    expired: 'Thẻ này đã hết hạn',
    securityCode: 'Nhập ba chữ số ở mặt sau thẻ',
    securityCodeInFront: 'Nhập bốn chữ số ở mặt trước thẻ',
    email: 'Nhập địa chỉ email, ví dụ ten@example.com',
    taxNumber: 'Kiểm tra CPF hoặc CNPJ: có chữ số sai hoặc thiếu',
    document: 'Số này không khớp với loại giấy tờ',
    network: 'Đồng tiền này không được nhận trên mạng này',
    bankCodeMissing: 'Số tài khoản cần kèm mã BIC của ngân hàng',
    bankCode: 'Đây không phải là mã BIC',
    account: 'Kiểm tra tài khoản: có chữ số sai hoặc thiếu',
  },

  notices: {
    stale: 'Thanh toán này đã được tiếp tục ở một thẻ hoặc cửa sổ khác. Đây là tình trạng hiện tại.',
    tooManyAttempts: 'Bạn đã thử quá nhiều lần. Hãy chờ vài phút hoặc chọn cách khác.',
    unavailable: 'Cách thanh toán này hiện không dùng được. Vui lòng chọn cách khác.',
    limit: 'Không thể thanh toán số tiền này theo cách này. Vui lòng chọn cách khác.',
    unreachable: 'Hiện không liên lạc được với ngân hàng. Vui lòng thử lại sau giây lát.',
  },

  reasons: {
    declined: 'Ngân hàng hoặc ví của bạn đã từ chối. Bạn chưa bị trừ tiền.',
    insufficientFunds: 'Số dư không đủ. Bạn chưa bị trừ tiền.',
    expiredCard: 'Thẻ đã hết hạn. Bạn chưa bị trừ tiền.',
    securityCode: 'Mã bảo mật không đúng. Bạn chưa bị trừ tiền.',
    notConfirmed: 'Ngân hàng không xác nhận được đó là bạn. Bạn chưa bị trừ tiền.',
    cancelled: 'Thanh toán đã bị hủy. Bạn chưa bị trừ tiền.',
    expired: 'Đã hết thời gian thanh toán. Bạn chưa bị trừ tiền.',
    unavailable: 'Không thể bắt đầu thanh toán. Bạn chưa bị trừ tiền.',
  },

  challenge: {
    title: 'Xác nhận thanh toán',
    heading: 'Ngân hàng muốn xác nhận đó là bạn',
    text: 'Hãy xác nhận thanh toán trên trang của ngân hàng. Sau đó bạn sẽ quay lại đây.',
    button: 'Tiếp tục đến ngân hàng',
    frame: 'Trang của ngân hàng',
    back: 'Quay lại thanh toán',
    empty: 'Trang của ngân hàng không hiện ra?',
    instead: 'Mở trong cửa sổ này',
    open: {
      heading: 'Ngân hàng chưa xác nhận thanh toán',
      text: 'Thanh toán vẫn đang mở. Hãy tiếp tục đến ngân hàng để xác nhận.',
    },
  },

  redirect: {
    advice: (wallet) => `Bạn xác nhận bằng ${wallet} rồi quay lại đây.`,
    heading: (method) => `Tiếp tục với ${method}`,
    text: 'Hãy xác nhận thanh toán ở đó. Sau đó bạn sẽ quay lại đây.',
    button: (method) => `Tiếp tục đến ${method}`,
  },

  qr: {
    title: (method) => `Thanh toán bằng ${method}`,
    heading: 'Quét mã để thanh toán',
    picture: 'Mã QR của thanh toán này',
    scanWith: {
      pix: 'Mở ứng dụng ngân hàng, chọn Pix, rồi quét hoặc dán mã.',
      gcash: 'Mở GCash, chọn QR và quét mã.',
      wechat: 'Mở WeChat, chọn Quét và quét mã.',
      vn_bank: 'Mở ứng dụng ngân hàng và quét mã VietQR.',
      other: 'Mở ứng dụng ngân hàng hoặc ví và quét mã.',
    },
    openApp: 'Mở ứng dụng',
    copyCode: 'Sao chép mã',
  },

  transfer: {
    title: 'Chuyển khoản',
    heading: 'Chuyển khoản từ ngân hàng của bạn',
    text: 'Chuyển đúng số tiền này vào tài khoản này, qua ứng dụng, trực tuyến hoặc tại quầy.',
    reference: 'Ghi nội dung này khi chuyển khoản: nhờ đó chúng tôi biết tiền là của bạn.',
    scan: 'Hoặc quét mã này bằng ứng dụng ngân hàng',
    leave: 'Bạn có thể đóng trang này. Cửa hàng sẽ tự biết khi tiền đến.',
  },

  labels: {
    amount: 'Số tiền',
    payee: 'Người thụ hưởng',
    bank: 'Ngân hàng',
    reference: 'Nội dung',
    account: 'Tài khoản',
    va: 'Số tài khoản',
    address: 'Địa chỉ',
    network: 'Mạng',
    coinAmount: 'Số lượng cần gửi',
  },

  crypto: {
    title: (coin) => `Thanh toán bằng ${coin}`,
    heading: (coin) => `Gửi ${coin}`,
    warning: (coin, network) =>
      `Chỉ gửi ${coin} và chỉ qua mạng ${network}. Tiền gửi qua mạng khác hoặc bằng đồng khác sẽ mất.`,
    exact: 'Gửi đúng số lượng này. Ví của bạn có thể cộng thêm phí mạng.',
    seen: 'Đã thấy giao dịch của bạn',
    confirmations: (seen, needed) => `${seen}/${needed} xác nhận`,
  },

  copy: { button: 'Sao chép', done: 'Đã sao chép', named: (label) => `Sao chép: ${label}` },

  time: {
    left: (time) => `Thời gian còn lại: ${time}`,
    until: (moment) => `Thanh toán trước ${moment}`,
    over: 'Đã hết thời gian thanh toán. Nếu bạn đã trả tiền, không có gì bị mất: kết quả sẽ hiện ở đây.',
  },

  part: {
    heading: 'Một phần tiền đã đến',
    text: (came, missing) => `Đã nhận ${came}, còn thiếu ${missing}. Hãy gửi phần còn lại theo cùng cách.`,
  },

  waiting: {
    title: 'Đang thanh toán',
    heading: 'Chúng tôi đang chờ trả lời',
    text: 'Chúng tôi đang hỏi xem thanh toán đã thành công chưa. Trang này tự cập nhật.',
    leave: 'Bạn có thể rời trang này: bạn không bị trừ tiền hai lần và cửa hàng sẽ biết kết quả.',
    forPayment: 'Đang chờ bạn thanh toán. Trang này tự cập nhật.',
  },

  done: {
    title: 'Thanh toán thành công',
    heading: 'Bạn đã thanh toán thành công',
    text: 'Cảm ơn bạn. Bạn có thể quay lại cửa hàng.',
  },

  failed: { title: 'Thanh toán không thành công', heading: 'Thanh toán không thành công' },

  cancelled: {
    title: 'Thanh toán đã hủy',
    heading: 'Thanh toán này đã bị hủy',
    text: 'Bạn chưa bị trừ tiền.',
  },

  expired: {
    title: 'Thanh toán đã hết hạn',
    heading: 'Thanh toán này đã hết hạn',
    text: 'Đã hết thời gian thanh toán và bạn chưa bị trừ tiền. Nếu bạn vẫn gửi tiền, hãy liên hệ với cửa hàng.',
  },

  ways: {
    another: 'Thanh toán cách khác',
    cancel: 'Hủy và quay lại cửa hàng',
    back: 'Quay lại cửa hàng',
    backIn: (seconds) => `Quay lại cửa hàng sau ${seconds} giây.`,
    stay: 'Ở lại trang này',
    close: 'Đóng',
  },

  cashier: {
    title: 'Thanh toán',
    go: 'Tiếp tục thanh toán',
    refused: 'Chưa bắt đầu được thanh toán',
    retry: 'Hãy quay lại cửa hàng và thử lại.',
  },

  missing: {
    title: 'Không tìm thấy trang',
    heading: 'Trang thanh toán này không tồn tại',
    text: 'Liên kết bị thiếu hoặc đã quá cũ. Hãy quay lại cửa hàng và bắt đầu thanh toán lại.',
  },

  offline: {
    heading: 'Không có kết nối mạng',
    text: 'Chưa có gì được gửi đi. Vui lòng kiểm tra kết nối rồi thử lại.',
    button: 'Thử lại',
  },

  busy: 'Trang này đã được tải quá nhiều lần. Hãy tải lại sau một phút: không có gì bị mất.',

  broken: {
    title: 'Đã xảy ra lỗi',
    heading: 'Đã xảy ra lỗi ở phía chúng tôi',
    text: 'Hãy tải lại trang sau giây lát. Nếu bạn đã xác nhận thanh toán, cửa hàng sẽ biết kết quả.',
  },

  payout: {
    title: 'Nhận tiền của bạn',
    heading: 'Bạn muốn nhận tiền ở đâu?',
    button: (amount) => `Nhận ${amount}`,
    kinds: {
      card: 'Thẻ',
      bank_account: 'Tài khoản ngân hàng',
      pix: 'Pix',
      per_transfer: 'Tài khoản ngân hàng tại Peru',
      spei: 'Tài khoản ngân hàng tại Mexico',
    },
    accounts: {
      card: 'Số thẻ',
      bank_account: 'IBAN hoặc số tài khoản',
      pix: 'Khóa Pix',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC (mã SWIFT)',
      beneficiaryType: 'Chủ tài khoản là',
      addressLine: 'Địa chỉ',
      city: 'Thành phố',
      countryCode: 'Quốc gia',
      accountType: 'Loại tài khoản',
    },
    hints: {
      bankCode: 'Không cần nếu có IBAN',
      pix: 'CPF, CNPJ, email, điện thoại hoặc khóa ngẫu nhiên',
      per_transfer: '20 chữ số',
      spei: '18 chữ số',
    },
    way: { title: 'Đang chuyển', heading: 'Tiền của bạn đang được chuyển' },
    wayTo: (end) => `Tiền được chuyển vào tài khoản có số cuối ${end}. Trang này tự cập nhật.`,
    leave: 'Bạn có thể rời trang này: bạn không cần làm gì thêm.',
    sent: { title: 'Đã trả', heading: 'Tiền của bạn đã được gửi' },
    sentTo: (end) => `Tiền đã vào tài khoản có số cuối ${end}.`,
    failed: { title: 'Chưa trả', heading: 'Không thể gửi tiền' },
    sendAgain: (merchant) => `${merchant} đã biết và có thể gửi lại.`,
    goTo: (merchant) => `Đến ${merchant}`,
    missing: {
      title: 'Không tìm thấy trang',
      heading: 'Trang nhận tiền này không tồn tại',
      text: 'Liên kết bị thiếu hoặc đã quá cũ. Hãy xin liên kết mới từ người đã gửi cho bạn.',
    },
    broken: 'Hãy tải lại trang sau giây lát. Tiền không bao giờ được trả vào hai tài khoản hay trả hai lần.',
  },
  links: {
    amount: 'Số tiền cần trả',
    between: (least, most) => `Từ ${least} đến ${most}`,
    atLeast: (least) => `Ít nhất ${least}`,
    atMost: (most) => `Nhiều nhất ${most}`,
    again: 'Bắt đầu lại',
    cancel: 'Hủy thanh toán này',
    thanks: 'Cảm ơn bạn. Bạn có thể đóng trang này.',
    missing: {
      heading: 'Liên kết thanh toán này không tồn tại',
      text: 'Liên kết không đầy đủ. Hãy yêu cầu người gửi gửi lại toàn bộ liên kết.',
    },
    expired: {
      heading: 'Liên kết thanh toán này đã hết hạn',
      text: (merchant) => `Hãy yêu cầu ${merchant} gửi liên kết mới.`,
    },
    off: {
      heading: 'Liên kết thanh toán này không còn hoạt động',
      text: (merchant) => `Hãy yêu cầu ${merchant} gửi liên kết mới.`,
    },
    paid: {
      heading: 'Liên kết thanh toán này đã được thanh toán',
      text: 'Liên kết chỉ được thanh toán một lần. Bạn không cần làm gì thêm.',
    },
    unavailable: {
      heading: 'Hiện không thể thanh toán qua liên kết này',
      text: (merchant) => `Hãy thử lại sau hoặc liên hệ ${merchant}. Bạn chưa bị trừ tiền.`,
    },
    receipt: {
      title: 'Biên nhận',
      paidOn: 'Ngày thanh toán',
      method: 'Thanh toán bằng',
      refunded: 'Đã hoàn tiền',
      rest: 'Còn lại sau hoàn tiền',
      print: 'In',
      missing: {
        heading: 'Biên nhận này không tồn tại',
        text: 'Liên kết không đầy đủ hoặc đã hết hạn. Hãy yêu cầu cửa hàng gửi liên kết mới.',
      },
    },
  },
}
