import { Controller, Get, Param, ParseUUIDPipe, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../access/index.js';
import { LOGO_PATH } from './logo-url.js';
import { Logos } from './logos.service.js';

const PICTURE = { schema: { type: 'string' as const, format: 'binary' } };
const HEADERS = {
  // A logo that is opened as a page cannot run scripts or load resources.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  // A new logo has a new URL.
  'Cache-Control': 'public, max-age=31536000, immutable',
};

@ApiTags('Organizations')
@Controller(LOGO_PATH)
export class LogosController {
  constructor(private readonly logos: Logos) {}

  /** Returns the logo of an organization. No sign-in is required. */
  @Get(':logoId')
  @ApiProduces('image/png', 'image/jpeg', 'image/webp')
  @ApiOkResponse({ content: { 'image/png': PICTURE, 'image/jpeg': PICTURE, 'image/webp': PICTURE } })
  @Public()
  async getLogo(@Param('logoId', ParseUUIDPipe) logoId: string, @Res() response: Response): Promise<void> {
    const { contentType, content } = await this.logos.get(logoId);
    response.set(HEADERS).type(contentType).send(content);
  }
}
