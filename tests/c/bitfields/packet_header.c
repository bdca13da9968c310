// Parsing a word into fields and back.
#include <stdio.h>
#include <string.h>

struct header { unsigned version : 4, length : 4, service : 6, congestion : 2, total : 16; };

int main(void) {
    unsigned char raw[4] = {0x54, 0x2b, 0xdc, 0x05};
    struct header h;
    memcpy(&h, raw, sizeof h);
    printf("%u %u %u %u %u\n", h.version, h.length, h.service, h.congestion, h.total);
    h.total += 0x1000;
    h.version = ~h.version;
    memcpy(raw, &h, sizeof raw);
    printf("%x %x %x %x\n", raw[0], raw[1], raw[2], raw[3]);
    return raw[0] & 127;
}
