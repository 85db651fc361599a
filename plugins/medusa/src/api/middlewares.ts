// Signatures cover a notification as it was sent, so its route keeps the raw body.
import { defineMiddlewares } from '@medusajs/framework/http'

export default defineMiddlewares({
  routes: [
    {
      methods: ['POST'],
      matcher: '/hooks/tollgate/:provider',
      bodyParser: { preserveRawBody: true, sizeLimit: '64kb' },
    },
  ],
})
