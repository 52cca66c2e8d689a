/* argv to command lines. */
#include <stdio.h>

int main(void) {
    puts("heed 0.1.0");
    return 0;
}
